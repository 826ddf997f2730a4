/** A picture attached to an item. Written by the media part alone. */
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

/** What categories and products have in common as documents. The ERP's identifier is the key. */
export interface ItemDocument {
  _id: string
  id: number
  /** raised by every write; updates filter on it (compare and set) */
  rev: number
  /** batches that wrote last, newest first: how a batch recognises its own write, and a note its items */
  batches: string[]
  slug: string
  name: string
  is_active: boolean
  media: MediaReference[]
  /** the request for pictures that was swapped in last; written by the media part alone */
  media_rev: number
  created_at: Date
  updated_at: Date
}

/** What a noun's rules write; the rest is kept by the batch writer and the media part. */
export type Fields<Doc extends ItemDocument> = Omit<
  Doc,
  '_id' | 'id' | 'rev' | 'batches' | 'media' | 'media_rev' | 'created_at' | 'updated_at'
>

/** What the rules make of one key. `same`: nothing would change. */
export type Decision<Doc extends ItemDocument> =
  { kind: 'create'; fields: Fields<Doc> } | { kind: 'change'; changes: Partial<Fields<Doc>> } | { kind: 'same' }

/** A batch writes its id beside those of batches that wrote so recently that they may still look for theirs. */
const RECENT_MS = 5 * 60_000
export const MAX_BATCHES = 8

export function nextBatches(stored: Pick<ItemDocument, 'batches' | 'updated_at'>, batch: string, now: Date): string[] {
  return now.getTime() - stored.updated_at.getTime() > RECENT_MS
    ? [batch]
    : [batch, ...stored.batches].slice(0, MAX_BATCHES)
}
