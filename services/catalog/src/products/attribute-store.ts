import { Injectable } from '@nestjs/common'
import { collectDuplicates, retryConflicts } from '@partsbus/platform/mongo/errors'
import { type Collection, Db } from 'mongodb'

export interface AttributeDocument {
  /** the name */
  _id: string
  created_at: Date
}

/** The cache is cleared beyond this many names. */
const MAX_CACHED = 100_000

/**
 * Attributes, found or created by name (erp.md#products-8). None is ever deleted, so that a known name is not queried
 * again.
 */
@Injectable()
export class AttributeStore {
  private readonly attributes: Collection<AttributeDocument>
  private readonly known = new Set<string>()

  constructor(db: Db) {
    this.attributes = db.collection('attributes')
  }

  /** Creates the missing ones. */
  async ensure(names: Iterable<string>): Promise<void> {
    const unknown = new Set<string>()
    for (const name of names) if (!this.known.has(name)) unknown.add(name)
    if (unknown.size === 0) return
    const now = new Date()
    const docs = [...unknown].sort().map((name) => ({ _id: name, created_at: now }))
    await retryConflicts(() => collectDuplicates(() => this.attributes.insertMany(docs, { ordered: false })))
    if (this.known.size + unknown.size > MAX_CACHED) this.known.clear()
    for (const name of unknown) this.known.add(name)
  }
}
