import type { Log } from '@partsbus/local-stack/build-cache'
import type { BenchProduct } from '../clients/catalogue.js'

/** Whose processor time and memory it is. */
export type Part = 'program' | 'database' | 'bus'

/**
 * cards: products without a price; sellable: with price and stock keeping; stock: quantities of stored products;
 * logged and records: cards of Directus with its log, and with a record for each attribute.
 */
export type Kind = 'cards' | 'sellable' | 'stock' | 'logged' | 'records'

/** Makes the body of a call, which is not measured, and returns the sending of it, which is. */
export type Call = (items: BenchProduct[]) => () => Promise<void>

export interface Work {
  kind: Kind
  /** Items a call. */
  sizes: number[]
  /** Writes what the items need to exist before they can be created; not measured. */
  prepare?: Call
  create: Call
  change: Call
}

export interface RunningPeer {
  work: Work[]
  processes(): Array<{ part: Part; pid: number }>
  stop(): Promise<void>
}

export interface Peer {
  name: string
  /** With its version, as the page shows it. */
  title: string
  /** Installs what is missing. @throws with the reason when that is not possible */
  install(log: Log): Promise<void>
  /** With an empty catalog. */
  start(log: Log): Promise<RunningPeer>
}
