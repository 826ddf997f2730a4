#!/bin/sh
# Takes mongod and nats-server out of their images, for tests that kill and freeze them as processes:
#   sh scripts/test/take-servers.sh FOLDER, then LOCAL_STACK=path with FOLDER on the PATH
# The machine must have what mongod is linked with: Ubuntu 24.04 has it, on which the image is based.
set -eu

folder=$1
mkdir -p "$folder"
take() {
  container=$(docker create "$1")
  docker cp "$container:$2" "$folder/" >&2
  docker rm "$container" > /dev/null
}
take "${MONGO_IMAGE:-mongo:8.0}" /usr/bin/mongod
take "${NATS_IMAGE:-nats:2.14-alpine}" /usr/local/bin/nats-server
