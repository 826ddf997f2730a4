#!/bin/sh
# Makes every secret that docker-compose.yml names, each random, in deploy/secrets (ignored by git).
# What is there already stays, so it can be run again after an update. Usage: sh deploy/secrets.sh [FOLDER]
#
# The folder is closed to others; the files are readable, because compose mounts them with their owner
# and mode and the processes inside run as other users.
set -eu

folder=${1:-$(dirname "$0")/secrets}
mkdir -p "$folder"
chmod 700 "$folder"
umask 022

random() { head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }

# keep NAME VALUE: writes the secret unless it exists
keep() {
  [ -s "$folder/$1" ] && return 0
  printf '%s' "$2" > "$folder/$1"
  chmod 444 "$folder/$1"
  made="${made:-} $1"
}

keep admin_token "$(random)"
keep secrets_key "$(random)"
keep mongodb_keyfile "$(random)"
keep mongodb_root_password "$(random)"
for service in gateway catalog stock pricing-import supplier-search; do
  database="partsbus_$(printf '%s' "$service" | tr '-' '_')"
  keep "mongodb_url_$service" "mongodb://$service:$(random)@mongo:27017/$database?replicaSet=rs0"
  keep "nats_password_$service" "$(random)"
done

# The bus reads all passwords from one file, as variables of its configuration.
rm -f "$folder/nats_passwords"
for service in gateway catalog stock pricing-import supplier-search; do
  name=$(printf '%s' "$service" | tr 'a-z-' 'A-Z_')
  printf 'PASSWORD_%s: "%s"\n' "$name" "$(cat "$folder/nats_password_$service")" >> "$folder/nats_passwords"
done
chmod 444 "$folder/nats_passwords"

echo "secrets in $folder; new:${made:- none}"
