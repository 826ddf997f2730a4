import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { DisturbedImports } from './faults/disturbed-imports.js'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { batchesByItem, readEvents } from './testing/event-reader.js'
import { logLines } from './testing/log-files.js'
import { openPartnerShop, type PartnerShop } from './testing/partner-shop.js'
import { expectStatus, type Page } from './testing/shop.js'
import { WriteLog } from './testing/write-log.js'

jest.setTimeout(400_000)

const TWO_HOURS_MS = 2 * 3_600_000
const STATEFUL = ['catalog', 'stock', 'pricing-import']
/** Clean-ups run every 30 s. */
const SWEEPS_MS = 35_000
const STOCKED = Array.from({ length: 50 }, (_, index) => `stocked-${index}`)

describe('services whose clocks are two hours ahead and two hours behind (promises.md#promise-3)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'partsbus-clock-'))
  let shop: PartnerShop
  let imports: DisturbedImports
  const writes = new WriteLog()

  beforeAll(async () => {
    shop = await openPartnerShop({
      replicas: STATEFUL.map((name) => `${name}=2`).join(','),
      env: {
        NODE_OPTIONS: `--import=${new URL('./testing/shift-clock.mjs', import.meta.url).href}`,
        CLOCK_SHIFT_MS: String(TWO_HOURS_MS),
        CLOCK_SHIFT_FOLDER: folder,
        IMPORT_LEASE_MS: '3000',
      },
      // the shortest retention: what a clock two hours ahead would take for old must stay
      settings: { retention_days: 1, audit_retention_days: 1 },
    })
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(STATEFUL))
    const products = STOCKED.map((id) => ({ id_erp: id, name: 'One name for all, so that slugs are allocated' }))
    expectStatus(await shop.erp.post('/products/batch-upsert', products), 200)
    imports = await DisturbedImports.open(shop, { lists: 2, rows: 6_000 })
  }, 300_000)
  afterAll(async () => {
    await shop?.stop()
    rmSync(folder, { recursive: true })
  })

  it('log times that are four hours apart', () => {
    for (const service of STATEFUL) {
      const [one = 0, other = 0] = [service, `${service}-2`].map((name) =>
        Date.parse(String(logLines(shop.product, name)[0]?.time)),
      )
      expect(Math.abs(one - other)).toBeGreaterThan(1.9 * TWO_HOURS_MS)
    }
  })

  it('lose no write, and publish its events long before two hours', async () => {
    writes.writeProducts(() => shop.erp, 'skew', 20)
    writes.writeProducts(() => shop.erp, 'skew-other', 20)
    writes.writeStocks(() => shop.erp, STOCKED)
    await writes.acknowledgedMore(60, 120_000)
    await writes.stop()
    expect(await writes.compare(shop)).toEqual([])
    const keys = [...writes.keys].map(([key]) => key.split('/') as [string, string])
    const subjects = { products: 'catalog.product.upserted', stocks: 'stock.supply.updated' }
    await waitFor(
      async () => {
        const events = await readEvents(shop.product)
        const seen = {
          products: batchesByItem(events, subjects.products),
          stocks: batchesByItem(events, subjects.stocks),
        }
        return keys.filter(([kind, id]) => !seen[kind as keyof typeof seen].has(id))
      },
      (missing) => missing.length === 0,
      60_000,
    )
  })

  it('import without a delay, and take over from a killed worker when its lease expires', async () => {
    expect(await imports.fewestClaims(async () => undefined)).toEqual(imports.lists.map(() => 1))
    const { claims } = await imports.during(async (tasks) => {
      await imports.reached(tasks, imports.allRows / 8)
      await shop.product.kill('pricing-import', 'SIGKILL', 1)
    }, 30_000)
    // the lease may expire once more on a busy machine
    for (const count of claims) expect(count).toBeLessThanOrEqual(3)
  })

  it('delete nothing that is young by the clock of the database or of the files', async () => {
    const uploads = join(shop.product.stateDir, 'uploads')
    const waiting = join(uploads, randomUUID())
    writeFileSync(waiting, 'an upload under way')
    const count = async (path: string) => expectStatus(await shop.admin.get<Page<unknown>>(path), 200).body.total
    const kept = async () => [await count('/import-tasks'), await count('/products'), await count('/supplies')]
    const before = await kept()
    const audited = await count('/audit')
    await delay(SWEEPS_MS)
    expect(existsSync(waiting)).toBe(true)
    expect(await kept()).toEqual(before)
    expect(await count('/audit')).toBeGreaterThanOrEqual(audited)
  })
})
