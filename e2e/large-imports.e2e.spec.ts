import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { databaseProcesses } from './testing/database-processes.js'
import { isBack } from './testing/outage.js'
import {
  ended,
  lookAt,
  openPartnerShop,
  type PartnerList,
  type PartnerShop,
  type Parts,
} from './testing/partner-shop.js'
import { expectStatus } from './testing/shop.js'
import { streamUpload } from './testing/stream-upload.js'
import { watch } from './testing/vital-signs.js'

jest.setTimeout(600_000)

const MIB = 1024 * 1024
const SERVICES = ['gateway', 'administration', 'catalog', 'stock', 'pricing-import', 'supplier-search']
/** Resident memory of a service, and of the process that reads a file for it. */
const SERVICE_MIB = 512
const READER_MIB = 512
const HEAD = 'Бренд;Артикул;Название;Количество;Цена;Описание\n'
const UPLOADS = 40
const LISTS = 8
const ROWS = 1_000_000

/** Rows with a long text that no column of the format names, so that a large file has few rows. */
function wideFile(rows: number, rowBytes: number, mark: number) {
  const head = Buffer.from(HEAD)
  const text = 'x'.repeat(rowBytes)
  const rowAt = (row: number) => {
    const start = `KYB;W-${row};Strut;${mark};${row}.50;`
    return Buffer.from(`${start}${text.slice(0, rowBytes - Buffer.byteLength(start) - 1)}\n`)
  }
  return {
    bytes: head.length + rows * rowBytes,
    blocks: function* () {
      yield head
      for (let row = 1; row <= rows; row++) yield rowAt(row)
    },
  }
}

/** A million short rows. */
function longFile() {
  const block = (from: number) =>
    Buffer.from(
      Array.from(
        { length: 10_000 },
        (_, at) => `KYB;L-${from + at};Strut;${((from + at) % 90) + 1};${from + at}\n`,
      ).join(''),
    )
  const blocks = Array.from({ length: ROWS / 10_000 }, (_, at) => block(at * 10_000 + 1))
  const head = Buffer.from('Бренд;Артикул;Название;Количество;Цена\n')
  return { bytes: head.length + blocks.reduce((sum, { length }) => sum + length, 0), blocks: () => [head, ...blocks] }
}

const databaseServer = (await databaseProcesses()).at(-1)

describe('large imports (promises.md#promise-3, promises.md#promise-6)', () => {
  let shop: PartnerShop
  let lists: PartnerList[]
  const database = () => ['ferretdb', 'postgres', 'mongod'].filter((name) => shop.product.processes(name).length > 0)
  const parts = async (list: PartnerList, article: string) => {
    const body = { article, brands: ['KYB'], pick_up_points: [list.pointId] }
    return expectStatus(await shop.partner.post<Parts>('/get-parts', body), 200).body.parts
  }
  const upload = async (list: PartnerList, file: Parameters<typeof streamUpload>[2]) => {
    const { status, body } = await streamUpload(shop, list.id, file)
    expect([status, body]).toEqual([200, expect.objectContaining({ task_id: expect.any(Number) })])
    return body.task_id
  }
  const report = (what: string, { peak, children }: { peak: object; children: object }, startedAt: number) =>
    process.stderr.write(
      `${what}: ${Math.round((performance.now() - startedAt) / 1_000)} s; ` +
        `peak MiB ${JSON.stringify(peak)}, children ${JSON.stringify(children)}\n`,
    )
  const expectBounded = ({ peak, children }: { peak: Record<string, number>; children: Record<string, number> }) => {
    for (const name of SERVICES) expect([name, (peak[name] ?? Infinity) < SERVICE_MIB]).toEqual([name, true])
    expect(children['pricing-import']).toBeLessThan(READER_MIB)
  }

  beforeAll(async () => {
    shop = await openPartnerShop({
      env: { IMPORT_LEASE_MS: '3000' },
      settings: { 'price-lists.import.max_file_size': 1_100 * MIB },
    })
    lists = await Promise.all(Array.from({ length: LISTS }, (_, at) => shop.newList(`Large ${at}`)))
  }, 300_000)
  afterAll(() => shop?.stop())

  it('of one file of 1 GB: every row of it', async () => {
    const startedAt = performance.now()
    const [list] = lists as [PartnerList]
    const rows = 5_000
    const signs = await watch(shop, [...SERVICES, ...database(), 'nats'], async () => {
      const task = await upload(list, wideFile(rows, 200 * 1024, 7))
      return (await ended(shop, [task], 400_000))[0]
    })
    report('1 GB', signs, startedAt)
    expect(signs.result).toMatchObject({ status: 'completed', error_message: null, imported_rows: rows })
    for (const row of [1, 2_500, rows])
      expect(await parts(list, `W-${row}`)).toMatchObject([{ quantity: 7, price: row + 0.5 }])
    expectBounded(signs)
  })

  it('of 1,000,000 rows, although worker, database and bus are killed on the way', async () => {
    const startedAt = performance.now()
    const list = lists[1] as PartnerList
    const task = await upload(list, longFile())
    const reached = (rows: number) =>
      waitFor(
        async () => (await lookAt(shop, task))?.processed_rows ?? 0,
        (count) => count >= rows,
        300_000,
        50,
      )
    // servers in Docker are not the product's to kill
    const servers = databaseServer === undefined ? [] : [databaseServer, 'nats']
    for (const [at, name] of ['pricing-import', ...servers].entries()) {
      await reached(100_000 * 2 ** at)
      await shop.product.kill(name)
      await waitFor(() => isBack(shop.product, name), Boolean, 120_000, 50)
    }
    expect(await ended(shop, [task], 400_000)).toMatchObject([
      { status: 'completed', error_message: null, total_rows: ROWS, imported_rows: ROWS, skipped_rows: 0 },
    ])
    report('1,000,000 rows with three kills', { peak: {}, children: {} }, startedAt)
    for (const row of [1, 99_999, 100_001, 500_000, 777_777, ROWS])
      expect(await parts(list, `L-${row}`)).toMatchObject([{ quantity: (row % 90) + 1, price: row }])
    const versions = expectStatus(
      await shop.admin.get<Array<{ rows: number; is_active: boolean }>>(`/price-lists/${list.id}/versions`),
      200,
    ).body
    expect(versions).toMatchObject([{ rows: ROWS, is_active: true }])
  })

  it('of 40 files of 50 MB sent at once: each is accepted and imported, in bounded memory', async () => {
    const startedAt = performance.now()
    const rows = 250
    const signs = await watch(shop, [...SERVICES, ...database(), 'nats'], async () => {
      const tasks = await Promise.all(
        Array.from({ length: UPLOADS }, (_, at) =>
          upload(lists[at % LISTS] as PartnerList, wideFile(rows, 200 * 1024, at + 1)),
        ),
      )
      return ended(shop, tasks, 400_000)
    })
    report(`${UPLOADS} uploads of 50 MB`, signs, startedAt)
    for (const task of signs.result) expect(task).toMatchObject({ status: 'completed', total_rows: rows })
    for (const list of lists) expect(await parts(list, `W-${rows}`)).toMatchObject([{ price: rows + 0.5 }])
    expectBounded(signs)
  })
})
