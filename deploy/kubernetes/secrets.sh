#!/bin/sh
# Prints the Secrets that the manifests name (secrets.example.yaml lists them):
#   sh deploy/kubernetes/secrets.sh FOLDER | kubectl apply --filename -
# The values are random and kept in FOLDER by deploy/secrets.sh, so a further run prints the same ones and adds what is
# new. Keep the folder apart from the cluster: without secrets_key the stored passwords of suppliers are lost.
#
# MONGODB_HOSTS are the members of the replica set with commas between, MONGODB_OPTIONS what follows the question mark of
# its address. Both default to samples/mongodb-community, for which the passwords are printed, too.
set -eu

if [ $# -ne 1 ]; then
  echo "usage: sh $0 FOLDER" >&2
  exit 2
fi
folder=$1
service=mongodb-svc.mongodb.svc.cluster.local
hosts=${MONGODB_HOSTS:-mongodb-0.$service:27017,mongodb-1.$service:27017,mongodb-2.$service:27017}
options=${MONGODB_OPTIONS:-replicaSet=mongodb}

# in the bundle it lies beside the folder `deploy`
random_values="$(dirname "$0")/../secrets.sh"
[ -f "$random_values" ] || random_values="$(dirname "$0")/../deploy/secrets.sh"
sh "$random_values" "$folder" >&2
random() { head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }
for name in backup_password cluster_password; do
  [ -s "$folder/kubernetes_$name" ] || random > "$folder/kubernetes_$name"
  chmod 444 "$folder/kubernetes_$name"
done

value() { cat "$folder/$1"; }
# the address of a service's database, at the hosts of the cluster
database() {
  url=$(value "mongodb_url_$1")
  path=${url##*/}
  printf '%s@%s/%s?%s' "${url%@*}" "$hosts" "${path%%\?*}" "$options"
}
password() { value "mongodb_url_$1" | sed 's#.*://[^:]*:\([^@]*\)@.*#\1#'; }

# secret NAME [NAMESPACE]: begins a Secret; key NAME: adds what it reads
secret() {
  printf -- '---\napiVersion: v1\nkind: Secret\nmetadata: { name: %s, namespace: %s }\ndata:\n' "$1" "${2:-partsbus}"
}
key() { printf '  %s: %s\n' "$1" "$(base64 | tr -d '\n')"; }

for service in gateway administration catalog stock pricing-import supplier-search; do
  secret "partsbus-$service"
  value "nats_password_$service" | key nats_password
  case $service in
    administration) ;; # it uses the database of the gateway
    *) database "$service" | key mongodb_url ;;
  esac
  case $service in
    gateway) value admin_token | key admin_token ;;
    stock | pricing-import) value secrets_key | key secrets_key ;;
  esac
done

secret partsbus-provision
value nats_password_provision | key nats_password

secret partsbus-doctor
value nats_password_provision | key nats_password
value admin_token | key admin_token

secret partsbus-backup
backup=$(value kubernetes_backup_password)
printf %s "mongodb://backup:$backup@$hosts/?$options&authSource=admin" | key mongodb_url
value admin_token | key admin_token
value secrets_key | key secrets_key

secret partsbus-nats
value nats_passwords | key nats_passwords
value kubernetes_cluster_password | key cluster_password

if [ -z "${MONGODB_HOSTS:-}" ]; then
  secret partsbus-mongodb mongodb
  for user in gateway catalog stock pricing-import supplier-search; do
    password "$user" | key "$user"
  done
  printf %s "$backup" | key backup
fi
