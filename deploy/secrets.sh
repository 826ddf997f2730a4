#!/bin/sh
# Creates the secrets that docker-compose.yml names, each random, in deploy/secrets (ignored by git).
# Existing secrets are kept, so it can be run again after an update. Usage: sh deploy/secrets.sh [FOLDER]
#
# Other users cannot enter the folder; the files are readable, because compose mounts them with their owner and mode, and
# the processes in the containers run as other users.
set -eu

folder=${1:-$(dirname "$0")/secrets}
mkdir -p "$folder"
chmod 700 "$folder"
umask 022

random() { head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }

# create NAME VALUE: writes the secret unless it exists
create() {
  [ -s "$folder/$1" ] && return 0
  printf '%s' "$2" > "$folder/$1"
  chmod 444 "$folder/$1"
  made="${made:-} $1"
}

create admin_token "$(random)"
create secrets_key "$(random)"
create mongodb_keyfile "$(random)"
create mongodb_root_password "$(random)"
root=$(cat "$folder/mongodb_root_password")
create mongodb_url_root "mongodb://root:$root@mongo:27017/?replicaSet=rs0&authSource=admin"
# may read the statistics of the server and nothing else; its exporter reads no files
create mongodb_monitor_password "$(random)"
monitor=$(cat "$folder/mongodb_monitor_password")
create mongodb_exporter.env "MONGODB_URI=mongodb://monitor:$monitor@mongo:27017/?authSource=admin"
# The database of the administration service has the name and the user of the gateway, which owned it before.
for service in gateway catalog stock pricing-import supplier-search; do
  database="partsbus_$(printf '%s' "$service" | tr '-' '_')"
  create "mongodb_url_$service" "mongodb://$service:$(random)@mongo:27017/$database?replicaSet=rs0"
done
for user in gateway administration catalog stock pricing-import supplier-search; do
  create "nats_password_$user" "$(random)"
done

# For docker-compose.ferretdb.yml: the same users and passwords, at a server without a replica set.
create postgres_password "$(random)"
create ferretdb_postgresql_url "postgres://partsbus:$(cat "$folder/postgres_password")@postgres:5432/postgres"
for service in gateway catalog stock pricing-import supplier-search; do
  create "ferretdb_url_$service" "$(sed 's/?replicaSet=rs0$//' "$folder/mongodb_url_$service")"
done

create grafana_password "$(random)"

# Fill them in where they are needed: keys of a bucket, and of what alerts are sent by.
for name in s3_access_key_id s3_secret_access_key alert_smtp_password alert_telegram_token alert_watchdog_url; do
  [ -e "$folder/$name" ] || : > "$folder/$name"
done

# the user that creates the streams of the bus
create nats_password_provision "$(random)"

# The bus reads all passwords from one file, as variables of its configuration.
rm -f "$folder/nats_passwords"
for user in provision gateway administration catalog stock pricing-import supplier-search; do
  name=$(printf '%s' "$user" | tr 'a-z-' 'A-Z_')
  printf 'PASSWORD_%s: "%s"\n' "$name" "$(cat "$folder/nats_password_$user")" >> "$folder/nats_passwords"
done
chmod 444 "$folder/nats_passwords"

echo "secrets in $folder; new:${made:- none}"
