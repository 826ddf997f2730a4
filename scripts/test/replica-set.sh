#!/bin/sh
# A replica set of three members of MongoDB in containers, for the specs that need a real one:
#   export $(sh scripts/test/replica-set.sh up)
#   npm test -- replica-set
#   sh scripts/test/replica-set.sh down
# It is also the program of MONGODB_REPLICA_SET_SIGNAL: KILL, STOP, CONT or START, and the host:port of a member.
# It needs Docker on Linux: members use the network of the host, on the loopback interface.
set -eu

image=${MONGO_IMAGE:-mongo:8.0}
ports='27101 27102 27103'
first=27101
name() { echo "partsbus-set-$1"; }
random() { head -c 24 /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }

# shell EXPRESSION: evaluated by the first member, as a client of the same machine
shell() {
  docker exec "$(name $first)" mongosh --quiet --norc --port $first --eval "$1"
}

# until COMMAND…: repeats it for a minute
until_done() {
  tries=60
  until "$@" > /dev/null 2>&1; do
    tries=$((tries - 1))
    [ $tries -gt 0 ] || { echo "no success in a minute: $*" >&2; exit 1; }
    sleep 1
  done
}

case ${1-} in
  up)
    key=$(random)
    password=$(random)
    for port in $ports; do
      # the server wants a key file of its own
      docker run --detach --name "$(name "$port")" --network host "$image" bash -c "
        printf %s $key > /tmp/key && chmod 400 /tmp/key && chown mongodb /tmp/key
        exec docker-entrypoint.sh mongod --port $port --bind_ip 127.0.0.1 --replSet partsbus --keyFile /tmp/key \
          --setParameter enableTestCommands=1" >&2
    done
    members=''
    hosts=''
    for port in $ports; do
      members="$members{ _id: ${port#2710}, host: '127.0.0.1:$port' },"
      hosts="$hosts,127.0.0.1:$port"
    done
    until_done shell 'db.hello()'
    # before there is a user, a client of the same machine may do these two
    until_done shell "rs.initiate({ _id: 'partsbus', members: [$members] })"
    until_done shell 'if (!db.hello().isWritablePrimary) quit(1)'
    shell "db.getSiblingDB('admin').createUser({ user: 'root', pwd: '$password', roles: ['root', '__system'] })" >&2
    echo "MONGODB_REPLICA_SET_URL=mongodb://root:$password@${hosts#,}/?replicaSet=partsbus&authSource=admin"
    echo "MONGODB_REPLICA_SET_SIGNAL=$(cd "$(dirname "$0")" && pwd)/replica-set.sh"
    ;;
  down)
    for port in $ports; do docker rm --force --volumes "$(name "$port")" > /dev/null; done
    ;;
  KILL | STOP | CONT) docker kill --signal "$1" "$(name "${2##*:}")" > /dev/null ;;
  START) docker start "$(name "${2##*:}")" > /dev/null ;;
  *)
    echo "usage: $0 up | down | KILL | STOP | CONT | START [HOST:PORT]" >&2
    exit 2
    ;;
esac
