import type { PriceFileOptions } from '../open-price-file.js'
import type { PackedRows } from '../packed-rows.js'

/** What the parent asks of the child. */
export type Order =
  | { order: 'check'; path: string; fileName: string; folder: string; maxUnpacked?: number }
  | { order: 'open'; path: string; fileName: string; folder: string; options: PriceFileOptions }
  | { order: 'next' }

/** What the child answers, one for each order. */
export type Answer =
  | { answer: 'checked' }
  | { answer: 'opened'; encoding: string | null; delimiter: string | null; sheet: string | null }
  | { answer: 'block'; block: PackedRows }
  | { answer: 'end' }
