import { BSON, type Collection, type Filter } from 'mongodb'
import type { ItemDocument } from './item-document.js'

/** Some of the stored items that were asked for, and the keys that were not looked at any more. */
export type Slice<Doc> = { docs: Map<string, Doc>; unread: string[] }

/**
 * Reads items until they exceed `maxBytes` of BSON; at least one.
 * @param omit fields that are not read
 */
export async function readLane<Doc extends ItemDocument>(
  collection: Collection<Doc>,
  keys: string[],
  maxBytes: number,
  omit: readonly (keyof Doc)[],
): Promise<Slice<Doc>> {
  const docs = new Map<string, Doc>()
  const projection = Object.fromEntries(omit.map((name) => [name, 0]))
  const cursor = collection.find<Uint8Array>({ _id: { $in: keys } } as Filter<Doc>, {
    batchSize: keys.length + 1,
    // the size of a document is known before it is decoded
    raw: true,
    ...(omit.length > 0 && { projection }),
  })
  try {
    for (let bytes = 0; await cursor.hasNext();) {
      for (const raw of cursor.readBufferedDocuments()) {
        bytes += raw.length
        if (bytes > maxBytes && docs.size > 0) return { docs, unread: keys.filter((key) => !docs.has(key)) }
        const doc = BSON.deserialize(raw) as Doc
        docs.set(doc._id, doc)
      }
    }
    return { docs, unread: [] }
  } finally {
    await cursor.close()
  }
}
