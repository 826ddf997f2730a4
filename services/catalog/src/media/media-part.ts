import type { MediaConfig } from './config.js'
import type { ServiceParts } from '@partsbus/platform/parts'

/** What the picture half of the service owns, built once by `openMedia`. */
export interface MediaPart {
  parts: ServiceParts
  config: MediaConfig
  /** starts the workers and the sweeper */
  start(): Promise<void>
  /** takes no new work; ends when what is under way is done or given back */
  stop(): Promise<void>
}
