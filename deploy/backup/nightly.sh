#!/bin/sh
# The profile `backup`: a backup every day at BACKUP_TIME (UTC), and at once when the newest is older than a day. Each is
# checked, and after that those of more than BACKUP_KEEP_DAYS days are deleted. While the last one has failed, /tmp/failed
# exists, so the container is unhealthy. With arguments, it is the command line: `restore /backup/…`.
set -u

[ $# -eq 0 ] || exec partsbus "$@"

folder=${BACKUP_FOLDER:-/backup}
failed=${BACKUP_FAILED:-/tmp/failed}
day=86400

at=${BACKUP_TIME:-02:00}
keep=${BACKUP_KEEP_DAYS:-14}
case $at in [01][0-9]:[0-5][0-9] | 2[0-3]:[0-5][0-9]) ;; *) echo "BACKUP_TIME must be like 02:00: $at" >&2; exit 1 ;; esac
case $keep in '' | *[!0-9]* | 0*) echo "BACKUP_KEEP_DAYS must be a number of days: $keep" >&2; exit 1 ;; esac

# A container that is stopped ends what runs, so that the command ends the maintenance that it began.
child=
trap '[ -z "$child" ] || { kill "$child" 2> /dev/null; wait "$child"; }; exit 143' TERM INT
run() {
  "$@" & child=$!
  wait "$child"
  code=$?
  child=
  return $code
}

# Seconds since the newest complete backup was begun, by its name; more than a day when there is none.
age() {
  newest=$(ls "$folder" | grep -E '^partsbus-[0-9-]{10}T[0-9]{6}$' | tail -n 1)
  [ -n "$newest" ] || { echo $((day + 1)); return; }
  text=${newest#partsbus-}
  begun=$(date -u -d "${text%T*} $(echo "${text#*T}" | sed 's/../&:/g; s/:$//')" +%s)
  echo $(($(date +%s) - begun))
}

# Deletes backups of this script that are too old, and what a killed run left.
tidy() {
  find "$folder" -mindepth 1 -maxdepth 1 -name 'partsbus-*' -mtime "+$((keep - 1))" | while read -r old; do
    rm -r "$old" && echo "deleted $old"
  done
}

back_up() {
  name=$folder/partsbus-$(date -u +%Y-%m-%dT%H%M%S)
  if run partsbus backup "$name" && run partsbus verify "$name"; then
    rm -f "$failed"
    tidy
  else
    echo "the backup $name failed" >&2
    : > "$failed"
  fi
}

[ "$(age)" -le $day ] || back_up
while :; do
  now=$(date +%s)
  next=$(date -u -d "$(date -u +%F) $at" +%s)
  [ "$next" -gt "$now" ] || next=$((next + day))
  run sleep $((next - now))
  back_up
done
