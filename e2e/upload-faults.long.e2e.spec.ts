import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { expectedCounts, markedText, readLive } from './faults/marked-list.js'
import type { ApiResponse } from './testing/api-client.js'
import { isBack } from './testing/outage.js'
import {
  ended,
  openPartnerShop,
  type PartnerList,
  type PartnerShop,
  scheduled,
  type Upload,
  upload,
} from './testing/partner-shop.js'
import { signalProcess } from '@partsbus/local-stack/signal-process'
import { waitFor } from '@partsbus/test-kit/wait-for'

jest.setTimeout(300_000)

const ROWS = 400
const STORE_FAILED = { result: false, message: 'Failed to store uploaded file.' }
/** Shorter than in production, so that another worker takes over a killed import soon. */
const LEASE_MS = 3_000

/** Each test has its own price list, so that an unfinished import cannot affect the next test. */
describe('uploads under faults (promises.md#promise-1, promises.md#promise-3)', () => {
  let shop: PartnerShop
  let list: PartnerList
  let version = 2
  const next = (rows = ROWS) => markedText(rows, (version += 1))
  const live = async (of = list) => (await readLive(shop.product, of)).version
  beforeAll(async () => {
    shop = await openPartnerShop({ replicas: 'pricing-import=2', env: { IMPORT_LEASE_MS: String(LEASE_MS) } })
  }, 300_000)
  beforeEach(async () => {
    list = await shop.newList('Uploads')
  })
  afterAll(() => shop?.stop())

  it('make the newest live when several go to one list at once (rules.md#newest-wins)', async () => {
    const texts = Array.from({ length: 6 }, (_, index) => ({
      version: version + 1 + index,
      text: markedText(index % 2 === 0 ? 20_000 : ROWS, version + 1 + index),
    }))
    version += texts.length
    const taken = await Promise.all(
      texts.map(async (one) => ({ version: one.version, task: await scheduled(shop, list, one.text) })),
    )
    const tasks = await ended(
      shop,
      taken.map(({ task }) => task),
      120_000,
    )
    for (const task of tasks) expect(task).toMatchObject({ status: 'completed' })
    expect(await live()).toBe(taken.toSorted((one, other) => other.task - one.task)[0]?.version)
  })

  it('of the same file twice are two imports with the same result', async () => {
    const text = next()
    const first = await scheduled(shop, list, text)
    await ended(shop, [first], 60_000)
    const before = await readLive(shop.product, list)
    const second = await scheduled(shop, list, text)
    expect(second).toBeGreaterThan(first)
    expect(await ended(shop, [second], 60_000)).toMatchObject([{ status: 'completed', ...expectedCounts(ROWS) }])
    expect(await readLive(shop.product, list)).toEqual(before)
  })

  it('answered 200 are imported although the gateway is killed three times', async () => {
    const lists = await Promise.all([1, 2, 3].map((each) => shop.newList(`Killed gateway ${each}`)))
    const state = { over: false }
    const uploads = lists.map((): Array<{ task: number; version: number }> => [])
    const clients = Promise.all(
      lists.map(async (each, index) => {
        for (let mark = 2; !state.over; mark += 1) {
          const answer = await upload(shop.partner, each.id, markedText(ROWS, mark), 'price.csv', 10_000).catch(
            () => undefined,
          )
          if (answer?.status === 200) uploads[index]?.push({ task: answer.body.task_id, version: mark })
          else await delay(50)
        }
      }),
    )
    try {
      for (let turn = 0; turn < 3; turn++) {
        await delay(200 + 300 * turn)
        await shop.product.kill('gateway')
        await waitFor(() => isBack(shop.product, 'gateway'), Boolean, 60_000, 50)
      }
      await waitFor(async () => uploads.every(({ length }) => length > 0), Boolean, 90_000)
    } finally {
      state.over = true
      await clients
    }
    for (const [index, acknowledged] of uploads.entries()) {
      const tasks = await ended(
        shop,
        acknowledged.map(({ task }) => task),
        120_000,
      )
      expect(tasks.filter(({ status }) => status !== 'completed')).toEqual([])
      // a later upload without a response may be live too
      expect(await live(lists[index])).toBeGreaterThanOrEqual(acknowledged.at(-1)?.version ?? Infinity)
    }
  })

  it('answered 200 are imported although every import process is killed at once (partners.md#upload-3)', async () => {
    const task = await scheduled(shop, list, next())
    for (const { pid } of shop.product.processes('pricing-import')) signalProcess(pid, 'SIGKILL')
    expect(await ended(shop, [task], 90_000)).toMatchObject([{ status: 'completed', ...expectedCounts(ROWS) }])
    expect(await live()).toBe(version)
  })

  it('in flight when every import process is killed are answered 503 within 5 s, and can be repeated', async () => {
    await ended(shop, [await scheduled(shop, list, next())], 60_000)
    const before = await live()
    const uploadInFlight = async (ms: number): Promise<number> => {
      // stopped processes answer nothing, so the upload is in flight when they are killed
      const killed = shop.product.processes('pricing-import').map(({ pid }) => pid)
      for (const pid of killed) signalProcess(pid, 'SIGSTOP')
      const answer = upload(shop.partner, list.id, next(20_000))
      await delay(ms)
      for (const pid of killed) signalProcess(pid, 'SIGKILL')
      const { status, body, ms: took } = await answer
      expect([status, body]).toEqual([503, { result: false, message: 'Service temporarily unavailable.' }])
      await waitFor(
        async () => shop.product.processes('pricing-import').filter(({ pid }) => !killed.includes(pid)),
        ({ length }) => length === killed.length,
        60_000,
      )
      await shop.product.waitUntilReady()
      expect(await live()).toBe(before)
      return took
    }
    for (const ms of [10, 300]) expect(await uploadInFlight(ms)).toBeLessThan(5_000)
    const task = await scheduled(shop, list, next())
    expect(await ended(shop, [task], 90_000)).toMatchObject([{ status: 'completed' }])
    expect(await live()).toBe(version)
  })

  it('are answered 500 and change nothing while files cannot be stored, and work afterwards', async () => {
    await ended(shop, [await scheduled(shop, list, next())], 60_000)
    const before = await live()
    const text = next()
    const answers = await withoutFiles(shop, () => upload(shop.partner, list.id, text))
    for (const { status, body } of answers) expect([status, body]).toEqual([500, STORE_FAILED])
    expect(await live()).toBe(before)
    const task = await scheduled(shop, list, text)
    expect(await ended(shop, [task], 60_000)).toMatchObject([
      { status: 'completed', imported_rows: expectedCounts(ROWS).imported_rows },
    ])
    expect(await live()).toBe(version)
  })
})

/** Runs `send` three times while a file blocks the path of the folder for stored files. */
async function withoutFiles(
  shop: PartnerShop,
  send: () => Promise<ApiResponse<Upload>>,
): Promise<ApiResponse<Upload>[]> {
  const folder = join(shop.product.stateDir, 'files')
  renameSync(folder, `${folder}-away`)
  writeFileSync(folder, '')
  try {
    return [await send(), await send(), await send()]
  } finally {
    rmSync(folder)
    renameSync(`${folder}-away`, folder)
  }
}
