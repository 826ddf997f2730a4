import { parseDocument } from 'yaml'
import { read, readYaml, services } from './checkout.js'

export interface Container {
  image: string
  build?: { context: string; dockerfile: string; target?: string; args: Record<string, string> }
  scale?: string | number
  profiles?: string[]
  ports?: string[]
  networks?: string[] | Record<string, { ipv4_address: string }>
  environment?: Record<string, string>
  secrets?: string[]
  volumes?: string[]
  tmpfs?: string[]
  mem_limit?: string
  memswap_limit?: string
  pids_limit?: number
  read_only?: boolean
  cap_drop?: string[]
  cap_add?: string[]
  security_opt?: string[]
  entrypoint?: string[]
  command?: string[]
  restart?: string
  depends_on?: Record<string, { condition: string }>
  healthcheck?: { test: string[]; interval: string; start_period: string; start_interval: string; disable?: boolean }
  stop_grace_period: string
  logging: { options: Record<string, string> }
}

interface Compose {
  include?: string[]
  services: Record<string, Container>
  networks: Record<string, { ipam: { config: { subnet: string; ip_range: string }[] } } | null>
  volumes: Record<string, null>
  secrets: Record<string, { file: string }>
}

/** The value of a reference like `${MONGO_IMAGE:-mongo:8.0}` unless the variable is set. */
export const defaultValue = (reference: string): string => reference.replace(/^\$\{\w+:-(.*)\}$/, '$1')

export const [compose] = readYaml<Compose>('docker-compose.yml') as [Compose]

/** The included file; its paths are relative to its own folder. */
export const [observability] = readYaml<Compose>('deploy/observability/compose.yaml') as [Compose]

/** The override file for FerretDB, whose tags say what it replaces instead of merging it. */
export const ferretdb = parseDocument(read('docker-compose.ferretdb.yml'), {
  customTags: ['!reset', '!override'].flatMap((tag) => [
    { tag, resolve: (text: string) => text },
    { tag, collection: 'map' as const },
    { tag, collection: 'seq' as const },
  ]),
}).toJS() as Compose

/** Containers of images of our own. */
export const images = [...services, 'cli', 'backup']
