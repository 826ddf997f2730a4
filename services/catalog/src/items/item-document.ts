/** A stored image of an item. Written by the media module only. */
export interface MediaReference {
  id: number
  file_name: string
  mime_type: string
  /** bytes */
  size: number
  /** pixels */
  width: number
  height: number
  /** products only */
  sort_order?: number
  is_main?: boolean
}

/** The fields that the documents of categories and products share. The ERP's identifier is the key. */
export interface ItemDocument {
  _id: string
  id: number
  /** raised by every write; an update is made only if it is still the one that was read */
  rev: number
  /** the latest batches that wrote the item, newest first: how a batch recognizes its own write after a lost reply */
  batches: string[]
  slug: string
  name: string
  is_active: boolean
  media: MediaReference[]
  /** revision of the media set that was attached last; written by the media module only */
  media_rev: number
  /** the full sync that sent the item last; written beside the batches, with a new revision */
  full_sync?: string
  created_at: Date
  updated_at: Date
}

/** The fields that the rules of a noun decide. The writer adds the slug and the others. */
export type Fields<Doc extends ItemDocument> = Omit<
  Doc,
  '_id' | 'id' | 'rev' | 'batches' | 'slug' | 'media' | 'media_rev' | 'full_sync' | 'created_at' | 'updated_at'
>

/**
 * The outcome of the rules for one key. `none`: nothing would change.
 * `changed` are the names under which the event reports the changes; empty when none of them is visible from outside.
 */
export type Decision<Doc extends ItemDocument> =
  | { kind: 'create'; fields: Fields<Doc> }
  | { kind: 'update'; changes: Partial<Fields<Doc>>; changed: string[] }
  | { kind: 'none' }

/** A batch that wrote an item longer ago than this has finished and need not recognize its write any more. */
const RECENT_MS = 5 * 60_000
const MAX_BATCHES = 8

/** Whether a batch that wrote the item may still be at work. */
export function isRecent({ updated_at }: Pick<ItemDocument, 'updated_at'>, now: Date): boolean {
  return now.getTime() - updated_at.getTime() <= RECENT_MS
}

export function nextBatches(stored: Pick<ItemDocument, 'batches' | 'updated_at'>, batch: string, now: Date): string[] {
  return isRecent(stored, now) ? [batch, ...stored.batches].slice(0, MAX_BATCHES) : [batch]
}
