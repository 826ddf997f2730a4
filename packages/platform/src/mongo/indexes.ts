import type { Collection, CreateIndexesOptions, Document, IndexSpecification } from 'mongodb'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseDown } from './to-app-error.js'

export interface NamedIndex {
  name: string
  key: IndexSpecification
  options?: Omit<CreateIndexesOptions, 'name'>
}

/**
 * Creates missing indexes, and waits while the database cannot be reached. Safe with many replicas starting at once:
 * the others find the index already created.
 */
export async function ensureIndexes<T extends Document>(
  collection: Collection<T>,
  indexes: NamedIndex[],
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
      return
    } catch (error) {
      if (isDatabaseDown(error)) attempt = 0
      else if (attempt >= 5) throw error
      await sleep(attempt === 0 ? 500 : Math.random() * 200 * attempt)
    }
  }
}
