import { collectDuplicates, retryConflicts } from '@partsbus/platform/mongo/errors'
import type { Collection } from 'mongodb'

export interface AttributeDocument {
  /** the name */
  _id: string
  created_at: Date
}

/** Beyond this many names the memory starts anew. */
const MAX_KNOWN = 100_000

/** Attributes, found or created by name (erp.md#products-8). None is ever removed, so a name once seen stored is not looked up again. */
export class AttributeStore {
  private readonly attributes: Collection<AttributeDocument>
  private readonly known = new Set<string>()

  constructor(attributes: Collection<AttributeDocument>) {
    this.attributes = attributes
  }

  /** Creates those that are not there. */
  async ensure(names: Iterable<string>): Promise<void> {
    const unseen = new Set<string>()
    for (const name of names) if (!this.known.has(name)) unseen.add(name)
    if (unseen.size === 0) return
    const now = new Date()
    const docs = [...unseen].sort().map((name) => ({ _id: name, created_at: now }))
    await retryConflicts(() => collectDuplicates(() => this.attributes.insertMany(docs, { ordered: false })))
    if (this.known.size + unseen.size > MAX_KNOWN) this.known.clear()
    for (const name of unseen) this.known.add(name)
  }
}
