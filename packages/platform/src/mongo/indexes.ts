import {
  type Collection,
  type CreateIndexesOptions,
  type Document,
  type IndexSpecification,
  MongoServerError,
} from 'mongodb'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../process/log.js'
import { isClosed, logOf } from './connection.js'
import { retryUntilReached } from './retry-until-reached.js'

const NAMESPACE_NOT_FOUND = 26
const INDEX_NOT_FOUND = 27

export interface NamedIndex {
  name: string
  key: IndexSpecification
  options?: Omit<CreateIndexesOptions, 'name'>
}

type WaitingLog = Pick<Log, 'info' | 'warn'>

const silent: WaitingLog = { info: () => undefined, warn: () => undefined }

/** A build that takes longer is logged. */
const LOG_AFTER_MS = 5_000
/** Replicas that start at once meet each other's work. */
const MAX_ATTEMPTS = 5

/**
 * Creates missing indexes, then drops those of earlier releases, and waits while the database cannot be reached, until
 * the process closes its client. Safe with many replicas starting at once: the others find that it is done.
 * @param obsolete names of indexes that `indexes` replaces
 */
export async function ensureIndexes<T extends Document>(
  collection: Collection<T>,
  indexes: NamedIndex[],
  obsolete: readonly string[] = [],
  log: WaitingLog = logOf(collection.db.client) ?? silent,
): Promise<void> {
  const isOver = () => isClosed(collection.db.client)
  const create = () => createMissing(collection, indexes, obsolete, log)
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await retryUntilReached(create, log, isOver)
    } catch (error) {
      if (attempt >= MAX_ATTEMPTS || isOver()) throw error
      await sleep(Math.random() * 200 * attempt)
    }
  }
}

async function createMissing<T extends Document>(
  collection: Collection<T>,
  indexes: NamedIndex[],
  obsolete: readonly string[],
  log: WaitingLog,
): Promise<void> {
  const listed = await collection.listIndexes().toArray().catch(noneIfMissing)
  const present = new Set(listed.map((index) => String(index.name)))
  const missing = indexes.filter(({ name }) => !present.has(name))
  const quorum = missing.length === 0 ? {} : await commitQuorum(collection)
  for (const { name, key, options } of missing) {
    const slow = setTimeout(() => {
      log.info({ collection: collection.collectionName, index: name }, 'building an index')
    }, LOG_AFTER_MS)
    await collection.createIndex(key, { ...options, ...quorum, name }).finally(() => clearTimeout(slow))
  }
  for (const name of obsolete) {
    if (present.has(name)) await dropIndex(collection, name)
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
