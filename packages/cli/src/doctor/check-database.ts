import type { Db } from 'mongodb'
import type { Diagnosis } from './finding.js'
import type { ServiceName } from './services.js'

/** Unique indexes, without which data can be damaged, and those without which a common request reads everything. */
const INDEXES: Partial<Record<ServiceName, Record<string, readonly string[]>>> = {
  catalog: {
    products: ['article_key', 'category_erp_ids_id'],
    categories: ['parent_erp_id_id'],
    media: ['sha256_unique'],
    media_sets: ['due_at'],
  },
  stock: { supplies: ['id', 'product_id', 'product_erp_id'] },
  'pricing-import': { offers: ['article_version'], import_tasks: ['status_list', 'list'] },
  'supplier-search': { brand_synonyms: ['keys_unique'] },
}
/** An entry is published within seconds. */
const OUTBOX_MS = 5 * 60_000
const CLOCK_MS = 5_000

export async function checkIndexes(service: ServiceName, db: Db): Promise<Diagnosis[]> {
  const found: Diagnosis[] = []
  for (const [collection, names] of Object.entries(INDEXES[service] ?? {})) {
    const present = await db
      .collection(collection)
      .indexes()
      .catch(() => undefined)
    const missing = names.filter((name) => !present?.some((index) => index.name === name))
    if (missing.length === 0) continue
    found.push({
      code: 'index-missing',
      severity: 'error',
      message: `The collection ${collection} of ${service} lacks the index ${missing.join(', ')}.`,
      advice: `Restart ${service}: it creates missing indexes at start. Its log says why one cannot be created.`,
    })
  }
  return found
}

/** Changes whose events are not published. */
export async function checkOutbox(service: ServiceName, db: Db): Promise<Diagnosis[]> {
  const overdue = await db.collection('outbox').countDocuments({ at: { $lt: new Date(Date.now() - OUTBOX_MS) } })
  if (overdue === 0) return []
  return [
    {
      code: 'outbox-overdue',
      severity: 'error',
      message: `${overdue} changes of ${service} are older than 5 minutes, and their events are not published.`,
      advice: `Check that the bus accepts messages (partsbus doctor names missing streams), and the log of ${service}.`,
    },
  ]
}

/** Compares the clock of the database with that of this machine. */
export async function checkClock(db: Db, now: () => number = Date.now): Promise<Diagnosis[]> {
  const before = now()
  const { localTime } = await db.admin().command({ hello: 1 })
  const differenceMs = (localTime as Date).getTime() - (before + now()) / 2
  if (Math.abs(differenceMs) < CLOCK_MS) return []
  return [
    {
      code: 'clock-skew',
      severity: 'warning',
      message: `The clock of the database differs by ${Math.round(differenceMs / 1_000)} s from that of this machine.`,
      advice: 'Synchronize the clocks of all machines by NTP.',
    },
  ]
}
