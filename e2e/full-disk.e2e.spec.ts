import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { expectedCounts, markedText, readLive } from './faults/marked-list.js'
import {
  ended,
  openPartnerShop,
  type PartnerList,
  type PartnerShop,
  scheduled,
  upload,
} from './testing/partner-shop.js'
import { expectStatus } from './testing/shop.js'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { logLines } from './testing/log-files.js'
import { mountSmallDisk, type SmallDisk } from './testing/small-disk.js'
import { WriteLog } from './testing/write-log.js'
import { makeZip } from '@partsbus/test-kit/zip'

const ROWS = 400
const STORE_FAILED = { result: false, message: 'Failed to store uploaded file.' }
const STOCKED = Array.from({ length: 20 }, (_, index) => `stocked-${index}`)
const MEBIBYTE = 1024 * 1024

const state = mountSmallDisk(1_200)
const uploads = mountSmallDisk(160)
const temporary = mountSmallDisk(256)
const disks = [state, uploads, temporary].filter((disk) => disk !== undefined)
const describeWithDisks = disks.length === 3 ? describe : describe.skip
if (disks.length < 3) console.warn('skipped: this user may not mount a tmpfs')

const servicePids = (shop: PartnerShop) =>
  shop.product
    .processes()
    .filter(({ management_port }) => management_port !== undefined)
    .map(({ name, pid }) => `${name} ${pid}`)

describeWithDisks('a full disk', () => {
  let shop: PartnerShop
  let list: PartnerList
  const bigText = markedText(150_000, 9)

  beforeAll(async () => {
    shop = await openPartnerShop({
      stateDir: `${(state as SmallDisk).path}/state`,
      env: {
        UPLOADS_PATH: `${(uploads as SmallDisk).path}/uploads`,
        FILES_PATH: `${(uploads as SmallDisk).path}/files`,
        TMPDIR: (temporary as SmallDisk).path,
      },
    })
    list = await shop.newList('Full disk')
    const task = await scheduled(shop, list, markedText(ROWS, 1))
    await ended(shop, [task], 60_000)
  }, 300_000)
  afterEach(() => {
    for (const disk of disks) disk.free()
  })
  afterAll(async () => {
    await shop?.stop()
    for (const disk of disks) disk.unmount()
  }, 120_000)

  it('in the middle of an upload is answered 500, and the list stays (partners.md#upload-4)', async () => {
    expect(bigText.length).toBeGreaterThan(4 * MEBIBYTE)
    uploads?.fill(2 * MEBIBYTE)
    expect(expectStatus(await upload(shop.partner, list.id, bigText), 500).body).toEqual(STORE_FAILED)
    // the refused upload leaves no file behind
    await waitFor(
      async () => uploads?.freeBytes() ?? 0,
      (bytes) => bytes > 1.5 * MEBIBYTE,
      60_000,
    )
    uploads?.free()
    expect((await readLive(shop.product, list)).version).toBe(1)
    const task = await scheduled(shop, list, markedText(ROWS, 2))
    expect(await ended(shop, [task], 60_000)).toMatchObject([{ status: 'completed', ...expectedCounts(ROWS) }])
    expect((await readLive(shop.product, list)).version).toBe(2)
  }, 120_000)

  it('for temporary files is not reported as an invalid file (partners.md#upload-4)', async () => {
    temporary?.fill()
    expect(expectStatus(await upload(shop.partner, list.id, bigText), 500).body).toEqual(STORE_FAILED)
    temporary?.free()
    const task = await scheduled(shop, list, markedText(ROWS, 3))
    expect(await ended(shop, [task], 90_000)).toMatchObject([{ status: 'completed' }])
    expect((await readLive(shop.product, list)).version).toBe(3)
  }, 150_000)

  it('in the middle of unpacking delays an import until there is space (promises.md#promise-1)', async () => {
    const rows = 30_000
    const lines = Array.from({ length: rows }, (_, row) => `Brand;FULL-${row};${'n'.repeat(6_000)};1;2`)
    const zip = makeZip([['price.csv', ['Бренд;Артикул;Наименование;Количество;Цена', ...lines].join('\n')]])
    // enough for the archive, not for its unpacked file
    temporary?.fill(64 * MEBIBYTE + 4 * zip.length)
    const { task_id } = expectStatus(await upload(shop.partner, list.id, zip, 'price.zip'), 200).body
    await waitFor(
      async () => logLines(shop.product, 'pricing-import'),
      (lines) => lines.some((line) => JSON.stringify(line).includes('ENOSPC') && line.task === task_id),
      60_000,
    )
    expect((await readLive(shop.product, list)).version).toBe(3)
    temporary?.free()
    expect(await ended(shop, [task_id], 120_000)).toMatchObject([{ status: 'completed', imported_rows: rows }])
  }, 240_000)

  it('of the database loses no acknowledged write, and service resumes (promises.md#promise-1)', async () => {
    const products = STOCKED.map((id) => ({ id_erp: id, name: id }))
    expectStatus(await shop.erp.post('/products/batch-upsert', products), 200)
    const pids = servicePids(shop)
    const writes = new WriteLog()
    writes.writeProducts(() => shop.erp, 'disk', 20)
    writes.writeStocks(() => shop.erp, STOCKED)
    await writes.acknowledgedMore(20)
    state?.fill()
    // the logs lie on this disk, too: each refused write is a warning that cannot be written
    const refusals = () => [...writes.refused.values()].reduce((sum, count) => sum + count, 0)
    await waitFor(
      async () => refusals(),
      (count) => count > 50,
      60_000,
    )
    state?.free()
    await writes.acknowledgedMore(20, 90_000)
    await writes.stop()
    // a request that is not answered in 5 s is given up by its client
    for (const answer of writes.refused.keys()) expect(answer).toMatch(/^((500|503|504) |No answer within )/)
    expect(servicePids(shop)).toEqual(pids)
    expect(await writes.compare(shop)).toEqual([])
  }, 240_000)
})
