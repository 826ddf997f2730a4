import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunningProduct } from '@partsbus/local-stack/running-product'
import { doublings, sampleTimes, spread, type Times } from './growth-reads.js'
import { type GrowthCost, GrowthMeter } from './growth-series.js'
import { fileToSend } from '../load/import-speed.js'
import { connectPartner, type FileToSend } from '../clients/partner.js'
import { priceRow, writeCsv } from '../clients/price-rows.js'

const LISTS = 20
const LISTS_A_STEP = 2
const WARM_UP = { rows: 20_000, queries: 400 }
/** Articles of the warm-up, apart from the others. */
const WARM_UP_START = 90_000_000
const QUERIES = { least: 400, most: 400, withinMs: 0, share: 0.99 }

export interface OfferRow extends GrowthCost {
  lists: number
  /** `get-brands` and `get-parts` with p99 */
  brands: Times
  parts: Times
}

/**
 * Imports offers until there are `last` in 20 lists. Each list is imported once: two more lists double the offers, so
 * that no version is replaced, and every article is in one list, so that a query finds as much as before.
 */
export async function growOffers(
  product: RunningProduct,
  { first, last, record }: { first: number; last: number; record: (row: OfferRow) => void },
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-growth-'))
  const partner = await connectPartner(product)
  let opened: GrowthMeter | undefined
  try {
    const storageId = await partner.createStorage({ kind: 'price-list' })
    await partner.admin('PATCH /settings', { body: { storages_for_crosses: [storageId] } })
    const query = (kind: 'brands' | 'parts', start: number, count: number) => async (turn: number) => {
      const { article, brand } = priceRow(start + spread(turn + (kind === 'brands' ? 0 : 1_000), count))
      const body = kind === 'brands' ? { article } : { article, brands: [brand] }
      const answer = await partner.post(`/get-${kind}`, JSON.stringify(body))
      if (answer.status === 200 && !answer.body.includes(brand))
        throw new Error(`get-${kind} of ${article} found nothing: ${answer.body.slice(0, 300)}`)
      return answer.status
    }
    const importRows = async (file: FileToSend, rows: number): Promise<void> => {
      const imported = await partner.follow(await partner.upload(await partner.createList(storageId), file))
      if (imported !== rows) throw new Error(`${imported} rows were imported, not ${rows}`)
    }
    const write = async (start: number, rows: number): Promise<{ file: FileToSend; rows: number }> => {
      const path = join(folder, `${start}.csv`)
      await writeCsv(path, rows, 'utf-8', 0, start)
      return { file: await fileToSend(path), rows }
    }
    const warm = await write(WARM_UP_START, WARM_UP.rows)
    await importRows(warm.file, warm.rows)
    for (const kind of ['brands', 'parts'] as const)
      for (let turn = 0; turn < WARM_UP.queries; turn += 1) await query(kind, WARM_UP_START, WARM_UP.rows)(turn)
    const meter = (opened = await GrowthMeter.open(product))
    const totals = doublings(first, last)
    let total = 0
    let lists = 0
    for (const [step, next] of totals.entries()) {
      const count = step === 0 ? Math.max(1, LISTS - LISTS_A_STEP * (totals.length - 1)) : LISTS_A_STEP
      const bounds = Array.from({ length: count + 1 }, (_, at) => total + Math.round(((next - total) * at) / count))
      const files: Array<{ file: FileToSend; rows: number }> = []
      for (const [at, start] of bounds.slice(0, -1).entries()) files.push(await write(start, bounds[at + 1]! - start))
      const cost = await meter.measure(next, next - total, async () => {
        for (const { file, rows } of files) await importRows(file, rows)
      })
      for (const [at] of files.entries()) await rm(join(folder, `${bounds[at]}.csv`))
      total = next
      lists += count
      record({
        ...cost,
        lists,
        brands: await sampleTimes(query('brands', 0, next), QUERIES),
        parts: await sampleTimes(query('parts', 0, next), QUERIES),
      })
    }
  } finally {
    await opened?.close()
    partner.close()
    await rm(folder, { recursive: true, force: true })
  }
}
