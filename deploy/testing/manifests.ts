import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { read, readYaml, root } from './checkout.js'

export interface EnvironmentVariable {
  name: string
  value?: string
  valueFrom?: { secretKeyRef?: { name: string; key: string } }
}
export interface PodContainer {
  name: string
  image: string
  imagePullPolicy: string
  command?: string[]
  args?: string[]
  env: EnvironmentVariable[]
  envFrom?: { configMapRef: { name: string } }[]
  ports?: { name: string; containerPort: number }[]
  resources: { requests: Record<string, string>; limits: Record<string, string> }
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[]
  securityContext: object
  startupProbe?: Probe
  livenessProbe?: Probe
  readinessProbe?: Probe
  lifecycle?: { preStop: object }
}
interface Probe {
  httpGet: { path: string; port: string }
}
export interface Pod {
  terminationGracePeriodSeconds: number
  topologySpreadConstraints: { topologyKey: string }[]
  serviceAccountName: string
  automountServiceAccountToken: boolean
  securityContext: object
  containers: [PodContainer, ...PodContainer[]]
  volumes: {
    name: string
    secret?: { secretName: string; items?: { key: string }[] }
    configMap?: { name: string }
    emptyDir?: { sizeLimit: string }
    persistentVolumeClaim?: { claimName: string }
  }[]
}
export interface Manifest {
  apiVersion: string
  kind: string
  metadata: {
    name: string
    namespace?: string
    labels: Record<string, string>
    annotations?: Record<string, string>
  }
  data: Record<string, string>
  spec: {
    replicas?: number
    selector: { matchLabels: Record<string, string> }
    template: { metadata: { labels: Record<string, string> }; spec: Pod }
    jobTemplate?: { spec: { template: { metadata: { labels: Record<string, string> }; spec: Pod } } }
  } & Record<string, unknown>
}

export const overlays = ['small', 'production'] as const

/** Every folder that `deploy/kubernetes/render.sh` renders. */
export const renderedFolders = ['overlays', 'samples'].flatMap((parent) =>
  readdirSync(join(root, 'deploy/kubernetes', parent)).map((name) => `${parent}/${name}`),
)

/** What `deploy/kubernetes/render.sh` wrote for the folder of this name. */
export function renderedManifests(name: string): Manifest[] {
  return readYaml<Manifest>(`deploy/kubernetes/rendered/${name}.yaml`)
}

/** The manifests by kind and name. A Job is found by its name without the version. */
export function openManifests(name: string) {
  const manifests = renderedManifests(name)
  const plain = ({ kind, metadata }: Manifest): string =>
    kind === 'Job' ? metadata.name.replace(/(-\d+){3}$/, '') : metadata.name
  const find = (kind: string, wanted: string): Manifest | undefined =>
    manifests.find((manifest) => manifest.kind === kind && plain(manifest) === wanted)
  const get = (kind: string, wanted: string): Manifest => {
    const manifest = find(kind, wanted)
    if (manifest === undefined) throw new Error(`${name} has no ${kind} ${wanted}`)
    return manifest
  }
  const named = (kind: string): string[] =>
    manifests
      .filter((manifest) => manifest.kind === kind)
      .map(plain)
      .sort()
  return { manifests, find, get, named }
}

/** The Secrets that have to be created, with their keys. */
export const exampleSecrets = new Map(
  readYaml<{ metadata: { name: string }; stringData: object }>('deploy/kubernetes/secrets.example.yaml').map(
    ({ metadata, stringData }) => [metadata.name, Object.keys(stringData).sort()],
  ),
)

/** The pod of a workload, or undefined for what runs none. */
export function podOf(manifest: Manifest | undefined): Pod | undefined {
  const { template, jobTemplate } = manifest?.spec ?? {}
  return (jobTemplate?.spec.template ?? template)?.spec
}

interface Schemas {
  kinds: Record<string, string>
  definitions: Record<string, object>
}

/** Published schemas of the kinds in use: `deploy/testing/extract-schemas.mjs`. */
export const schemas = JSON.parse(read('deploy/testing/kubernetes-schemas.json')) as Schemas
