import {
  type Collection,
  type CreateIndexesOptions,
  type Document,
  type IndexSpecification,
  MongoServerError,
} from 'mongodb'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseDown } from './to-app-error.js'

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
        (
          await collection
            .listIndexes()
            .toArray()
            .catch(() => [])
        ).map((index) => String(index.name)),
      )
      for (const { name, key, options } of indexes) {
        if (!present.has(name)) await collection.createIndex(key, { ...options, name })
      }
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

async function dropIndex<T extends Document>(collection: Collection<T>, name: string): Promise<void> {
  try {
    await collection.dropIndex(name)
  } catch (error) {
    // another replica was faster
    if (!(error instanceof MongoServerError && error.code === INDEX_NOT_FOUND)) throw error
  }
}
