#!/bin/bash
# Starts the database as a single-node replica set with accounts. mongod wants the key file closed and its own,
# which a mounted secret is not, so it is copied first; then the image's own entry point goes on.
set -eu
install -o mongodb -g mongodb -m 400 /run/secrets/mongodb_keyfile /tmp/mongodb-keyfile
exec docker-entrypoint.sh mongod --bind_ip_all --replSet rs0 --keyFile /tmp/mongodb-keyfile
