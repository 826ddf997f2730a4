#!/bin/sh
# Prints the images of other publishers with the digests that their tags have in the registry now:
#   sh deploy/pin-images.sh >> .env
# With --check it reads the variables instead, and fails unless each names a digest: for a pipeline that must build from
# pinned images only.
set -eu

default() {
  case $1 in
    NODE_IMAGE) echo node:24-slim ;;
    GO_IMAGE) echo golang:1.26-bookworm ;;
    MONGO_IMAGE) echo mongo:8.0 ;;
    NATS_IMAGE) echo nats:2.14-alpine ;;
    CADDY_IMAGE) echo caddy:2.11-alpine ;;
    COLLECTOR_IMAGE) echo otel/opentelemetry-collector-contrib:0.164.0 ;;
    PROMETHEUS_IMAGE) echo prom/prometheus:v3.5.0 ;;
    ALERTMANAGER_IMAGE) echo prom/alertmanager:v0.35.0 ;;
    NATS_EXPORTER_IMAGE) echo natsio/prometheus-nats-exporter:0.20.1 ;;
    MONGODB_EXPORTER_IMAGE) echo percona/mongodb_exporter:0.53.0 ;;
    TEMPO_IMAGE) echo grafana/tempo:2.10.4 ;;
    LOKI_IMAGE) echo grafana/loki:3.7.7 ;;
    GRAFANA_IMAGE) echo grafana/grafana:12.1.1 ;;
    FERRETDB_IMAGE) echo ghcr.io/ferretdb/ferretdb:2.7.0 ;;
    POSTGRES_IMAGE) echo ghcr.io/ferretdb/postgres-documentdb:17-0.107.0-ferretdb-2.7.0 ;;
  esac
}

is_digest() {
  printf %s "$1" | grep -Eq '^sha256:[0-9a-f]{64}$'
}

for name in NODE_IMAGE GO_IMAGE MONGO_IMAGE NATS_IMAGE CADDY_IMAGE COLLECTOR_IMAGE PROMETHEUS_IMAGE ALERTMANAGER_IMAGE \
  NATS_EXPORTER_IMAGE MONGODB_EXPORTER_IMAGE TEMPO_IMAGE LOKI_IMAGE GRAFANA_IMAGE FERRETDB_IMAGE POSTGRES_IMAGE; do
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
