import type { Migration } from '@partsbus/platform/mongo/migration'
import { runMigrations } from '@partsbus/platform/mongo/run-migrations'
import { createLog } from '@partsbus/platform/process/log'
import { MongoClient } from 'mongodb'
import { makeProducts } from '../clients/catalogue.js'
import { type Erp, sendBatch } from '../clients/erp.js'
import { type Figure, percentile, round, timed, timedInFlight, toFigure } from '../figures/measure.js'
import { ofFull, scaled, toScale } from '../runs/scale.js'

const PRODUCTS = 1_000_000
const SIZE = 1_000
const FIRST = 5_000_000
/** The batches that are timed: small, as those of an ERP that sends its changes. */
const TIMED = 100
const BEFORE = 60

const sortTwice: Migration = {
  version: 2,
  name: 'sort twice',
  oldestCode: 1,
  run: ({ rewrite }) =>
    rewrite({
      collection: 'products',
      reads: ['sort', 'bench_sort'],
      change: ({ sort, bench_sort }) => (bench_sort === undefined ? { $set: { bench_sort: sort } } : undefined),
    }),
}

/** Rewrites every product while the ERP goes on sending changes to the same products. */
export async function benchMigrations(erp: Erp, databaseUrl: string): Promise<Figure[]> {
  const products = scaled(PRODUCTS, toScale(0.2), SIZE)
  const starts = Array.from({ length: products / SIZE }, (_, batch) => FIRST + batch * SIZE)
  await timedInFlight(starts, 4, (start) => send(erp, start, SIZE, 0))

  let turn = 0
  const change = (): Promise<number> => {
    turn += 1
    const start = FIRST + ((turn * 7_919) % (products - TIMED))
    return timed(() => send(erp, start, TIMED, turn))
  }
  const before: number[] = []
  while (before.length < BEFORE) before.push(await change())

  const client = await new MongoClient(databaseUrl, { maxPoolSize: 2 }).connect()
  const during: number[] = []
  const state = { over: false }
  const writing = (async () => {
    while (!state.over) during.push(await change())
  })()
  const db = client.db('partsbus_catalog')
  const ms = await timed(() => runMigrations(db, [sortTwice], { log: createLog('bench', 'warn') }))
  state.over = true
  await writing
  const missed = await db.collection('products').countDocuments({ bench_sort: { $exists: false } })
  await client.close()
  if (missed > 0) throw new Error(`${missed} products were not migrated`)

  const figure = (share: number, label: string, limit: number): Figure => {
    const [calm, busy] = [percentile(before, share), percentile(during, share)]
    const value = busy / calm
    return toFigure({
      what: `a batch of ${TIMED} changed products, ${label}, while all products are migrated, against before`,
      value,
      unit: '×',
      detail:
        `${round(busy, 1)} ms, before ${round(calm, 1)} ms; ${during.length} batches, all answered 200; ` +
        `${products.toLocaleString('en')} products in ${round(ms / 1_000, 0)} s, ` +
        `${Math.round((products / ms) * 1_000)} a second${ofFull(products, PRODUCTS)}`,
      most: limit,
    })
  }
  return [figure(0.5, 'p50', 2), figure(0.95, 'p95', 3)]
}

async function send(erp: Erp, first: number, count: number, version: number): Promise<void> {
  await sendBatch(erp, '/products/batch-upsert', JSON.stringify(makeProducts(first, count, version)))
}
