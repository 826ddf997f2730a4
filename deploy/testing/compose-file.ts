import { readYaml } from './checkout.js'

export interface Container {
  image: string
  build?: { context: string; dockerfile: string; args: { SERVICE: string; NODE_IMAGE: string } }
  ports?: string[]
  environment?: Record<string, string>
  secrets?: string[]
  volumes?: string[]
  tmpfs?: string[]
  mem_limit?: string
  command?: string[]
  restart?: string
  depends_on?: Record<string, { condition: string }>
  healthcheck?: { test: string[] }
  stop_grace_period: string
  logging: { options: Record<string, string> }
}

interface Compose {
  services: Record<string, Container>
  volumes: Record<string, null>
  secrets: Record<string, { file: string }>
}

/** The image that a reference like `${MONGO_IMAGE:-mongo:8}` names unless the variable is set. */
export const defaultImage = (reference: string): string => reference.replace(/^\$\{\w+:-(.*)\}$/, '$1')

export const [compose] = readYaml<Compose>('docker-compose.yml') as [Compose]
