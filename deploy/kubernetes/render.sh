#!/bin/sh
# Writes the manifests of both overlays to deploy/kubernetes/rendered, for `kubectl apply --filename` and for review.
# Run it after every change; a test compares the two.
set -eu
cd "$(dirname "$0")"
render() {
  if command -v kustomize > /dev/null; then kustomize build "$1"; else kubectl kustomize "$1"; fi
}
for overlay in small production; do
  render "overlays/$overlay" > "rendered/$overlay.yaml"
done
