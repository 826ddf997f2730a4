import {
  type Collection,
  type CreateIndexesOptions,
  type Document,
  type IndexSpecification,
  MongoServerError,
} from 'mongodb'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseDown } from './to-app-error.js'

const NAMESPACE_NOT_FOUND = 26
const INDEX_NOT_FOUND = 27

export interface NamedIndex {
  name: string
  key: IndexSpecification
  options?: Omit<CreateIndexesOptions, 'name'>
}

/**
 * Creates missing indexes, then drops those of earlier releases, and waits while the database cannot be reached. Safe
 * with many replicas starting at once: the others find that it is done.
 * @param obsolete names of indexes that `indexes` replaces
 */
export async function ensureIndexes<T extends Document>(
  collection: Collection<T>,
  indexes: NamedIndex[],
  obsolete: readonly string[] = [],
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const present = new Set(
        (await collection.listIndexes().toArray().catch(noneIfMissing)).map((index) => String(index.name)),
      )
      const missing = indexes.filter(({ name }) => !present.has(name))
      const quorum = missing.length === 0 ? {} : await commitQuorum(collection)
      for (const { name, key, options } of missing) await collection.createIndex(key, { ...options, ...quorum, name })
      for (const name of obsolete) {
        if (present.has(name)) await dropIndex(collection, name)
      }
      return
    } catch (error) {
      if (isDatabaseDown(error)) attempt = 0
      else if (attempt >= 5) throw error
      await sleep(attempt === 0 ? 500 : Math.random() * 200 * attempt)
    }
  }
}

/** By default a replica set waits for all voting members, so that one that is down would block the start. */
async function commitQuorum<T extends Document>({ db }: Collection<T>): Promise<CreateIndexesOptions> {
  const { setName } = await db.command({ hello: 1 })
  return setName === undefined ? {} : { commitQuorum: 'majority' }
}

/** A collection that does not exist yet has no indexes. */
function noneIfMissing(error: unknown): [] {
  if (error instanceof MongoServerError && error.code === NAMESPACE_NOT_FOUND) return []
  throw error
}

async function dropIndex<T extends Document>(collection: Collection<T>, name: string): Promise<void> {
  try {
    await collection.dropIndex(name)
  } catch (error) {
    // another replica was faster
    if (!(error instanceof MongoServerError && error.code === INDEX_NOT_FOUND)) throw error
  }
}
