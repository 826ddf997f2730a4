#!/bin/sh
# Prints the images of other publishers with the digests that their tags have in the registry now:
#   sh deploy/pin-images.sh >> .env
# With --check it reads the variables instead, and fails unless each names a digest: for a pipeline that must build from
# pinned images only.
set -eu

default() {
  case $1 in
    NODE_IMAGE) echo node:24-slim ;;
    MONGO_IMAGE) echo mongo:8 ;;
    NATS_IMAGE) echo nats:2.14-alpine ;;
  esac
}

is_digest() {
  printf %s "$1" | grep -Eq '^sha256:[0-9a-f]{64}$'
}

for name in NODE_IMAGE MONGO_IMAGE NATS_IMAGE; do
  if [ "${1-}" = --check ]; then
    eval "image=\${$name-}"
    is_digest "${image##*@}" || { echo "$name does not name a digest: '$image'" >&2; exit 1; }
    continue
  fi
  image=$(default "$name")
  digest=$(docker buildx imagetools inspect --format '{{.Manifest.Digest}}' "$image")
  is_digest "$digest" || { echo "the registry gave no digest of $image: '$digest'" >&2; exit 1; }
  echo "$name=$image@$digest"
done
