#!/bin/sh
# Writes the alerts of deploy/observability as an object of the Prometheus Operator, and the manifests of all overlays and
# samples to deploy/kubernetes/rendered, for `kubectl apply --filename` and for review.
# Run it after every change; a test compares the two.
set -eu
cd "$(dirname "$0")"
rules=components/monitoring/rules.yaml
cat > $rules << 'HEAD'
# Written by deploy/kubernetes/render.sh from deploy/observability/alerts.yaml: change that file.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: partsbus
  labels: { release: kube-prometheus-stack }
spec:
HEAD
sed -n '/^groups:/,$ s/^\(.\)/  \1/p' ../observability/alerts.yaml >> $rules
render() {
  if command -v kustomize > /dev/null; then kustomize build "$1"; else kubectl kustomize "$1"; fi
}
for folder in overlays/* samples/*; do
  render "$folder" > "rendered/$(basename "$folder").yaml"
done
