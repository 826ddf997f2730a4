import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { isBack } from '../testing/outage.js'
import { ended, type PartnerList, type PartnerShop, scheduled, type Upload, upload } from '../testing/partner-shop.js'
import type { ApiResponse } from '../testing/api-client.js'
import { waitFor } from '../testing/shop.js'
import { readAttempts } from './import-records.js'
import { expectedCounts, markedText, readLive } from './marked-list.js'

const ROWS = 400
const STORE_FAILED = { result: false, message: 'Failed to store uploaded file.' }

/** What becomes of uploads when something dies or is full on their way (promises 1 and 3). */
export function uploadFaults(open: () => PartnerShop): void {
  describe('uploads', () => {
    let list: PartnerList
    let version = 2
    const next = () => markedText(ROWS, (version += 1))
    const live = async (of = list) => (await readLive(open().product, of)).version
    beforeAll(async () => {
      list = await open().newList('Uploads')
    })

    // rules.md#newest-wins
    it('of one list at the same time: the one that was taken later is live at the end', async () => {
      const texts = Array.from({ length: 6 }, (_, index) => ({
        version: version + 1 + index,
        text: markedText(index % 2 === 0 ? 20_000 : ROWS, version + 1 + index),
      }))
      version += texts.length
      const taken = await Promise.all(
        texts.map(async (one) => ({ version: one.version, task: await scheduled(open(), list, one.text) })),
      )
      const tasks = await ended(
        open(),
        taken.map(({ task }) => task),
        60_000,
      )
      for (const task of tasks) expect(task).toMatchObject({ status: 'completed' })
      expect(await live()).toBe(taken.toSorted((one, other) => other.task - one.task)[0]?.version)
    })

    it('of the same file twice: two imports with the same end', async () => {
      const text = next()
      const first = await scheduled(open(), list, text)
      await ended(open(), [first], 30_000)
      const before = await readLive(open().product, list)
      const second = await scheduled(open(), list, text)
      expect(second).toBeGreaterThan(first)
      expect(await ended(open(), [second], 30_000)).toMatchObject([{ status: 'completed', ...expectedCounts(ROWS) }])
      expect(await readLive(open().product, list)).toEqual(before)
    })

    it('that were answered 200 are imported although the gateway was killed again and again', async () => {
      const lists = await Promise.all([1, 2, 3].map((each) => open().newList(`Killed gateway ${each}`)))
      const state = { over: false }
      const outcomes = Promise.all(
        lists.map(async (each) => {
          const acknowledged: Array<{ task: number; version: number }> = []
          for (let mark = 2; !state.over; mark += 1) {
            const answer = await upload(open().partner, each.id, markedText(ROWS, mark), 'price.csv', 10_000).catch(
              () => undefined,
            )
            if (answer?.status === 200) acknowledged.push({ task: answer.body.task_id, version: mark })
            else await delay(50)
          }
          return acknowledged
        }),
      )
      for (let turn = 0; turn < 3; turn++) {
        await delay(200 + 300 * turn)
        open().product.kill('gateway')
        await waitFor(() => isBack(open().product, 'gateway'), Boolean, 30_000, 50)
      }
      await delay(500)
      state.over = true
      for (const [index, acknowledged] of (await outcomes).entries()) {
        expect(acknowledged.length).toBeGreaterThan(0)
        const tasks = await ended(
          open(),
          acknowledged.map(({ task }) => task),
          60_000,
        )
        expect(tasks.filter(({ status }) => status !== 'completed')).toEqual([])
        // one that was not answered may be live too, when it came later
        expect(await live(lists[index])).toBeGreaterThanOrEqual(acknowledged.at(-1)?.version ?? Infinity)
      }
    })

    // partners.md#upload-3
    it('are imported although every import process was killed the moment it had answered', async () => {
      const task = await scheduled(open(), list, next())
      for (const { pid } of open().product.processes('pricing-import')) process.kill(pid, 'SIGKILL')
      expect(await ended(open(), [task], 35_000)).toMatchObject([{ status: 'completed', ...expectedCounts(ROWS) }])
      expect(await live()).toBe(version)
    })

    it('that were on their way when every import process was killed are answered within 5 s, and imported where that was a 200', async () => {
      for (const ms of [10, 60]) {
        const answer = upload(open().partner, list.id, markedText(20_000, (version += 1)))
        await delay(ms)
        for (const { pid } of open().product.processes('pricing-import')) process.kill(pid, 'SIGKILL')
        const { status, body, ms: took } = await answer
        expect([200, 503]).toContain(status)
        expect(took).toBeLessThan(5_000)
        if (status === 200) expect(await ended(open(), [body.task_id], 35_000)).toMatchObject([{ status: 'completed' }])
        await open().product.waitUntilReady()
      }
    })

    it('are answered 500 while the import cannot keep files, and taken afterwards', async () => {
      const before = await live()
      const text = next()
      const answers = await withoutFiles(open(), () => upload(open().partner, list.id, text))
      for (const { status, body } of answers) expect([status, body]).toEqual([500, STORE_FAILED])
      expect(await live()).toBe(before)
      const task = await scheduled(open(), list, text)
      expect(await ended(open(), [task], 30_000)).toMatchObject([
        { status: 'completed', imported_rows: expectedCounts(ROWS).imported_rows },
      ])
      expect(await live()).toBe(version)
    })

    it('of a file that kills its reader each time end as failed, and the next one is imported', async () => {
      const poisoned = await scheduled(open(), list, markedText(20_000, 900))
      const innocent = await scheduled(open(), list, next())
      const readers = new Set<number>()
      const state = { over: false }
      const killer = (async () => {
        while (!state.over) {
          for (const pid of readersOf(open())) if (readers.add(pid)) kill(pid)
          await delay(5)
        }
      })()
      const [failed] = await ended(open(), [poisoned], 60_000)
      state.over = true
      await killer
      expect(failed).toMatchObject({ status: 'failed', error_message: expect.stringMatching(/\w/) })
      expect((await readAttempts(open().product, [poisoned])).get(poisoned)).toBeLessThanOrEqual(5)
      expect(await ended(open(), [innocent], 30_000)).toMatchObject([{ status: 'completed' }])
      expect(await live()).toBe(version)
    })

    it('of a file whose worker dies each time end as failed after five attempts at most, and the next one is imported', async () => {
      const poisoned = await scheduled(open(), list, markedText(60_000, 900))
      const innocent = await scheduled(open(), list, next())
      let attempts = 0
      while (attempts < 5) {
        const seen = await waitFor(
          async () => ({ attempt: (await readAttempts(open().product, [poisoned])).get(poisoned) ?? 0 }),
          ({ attempt }) => attempt > attempts,
          30_000,
          20,
        )
        attempts = seen.attempt
        if (attempts < 5) for (const { pid } of open().product.processes('pricing-import')) kill(pid)
      }
      expect(await ended(open(), [poisoned, innocent], 35_000)).toMatchObject([
        { status: 'failed', error_message: expect.stringContaining('given up') },
        { status: 'completed' },
      ])
      expect((await readAttempts(open().product, [poisoned])).get(poisoned)).toBe(5)
      expect(await live()).toBe(version)
    })
  })
}

type Uploads = ApiResponse<Upload>[]

/** Where the folder should be that keeps files, there is a file. */
async function withoutFiles(shop: PartnerShop, send: () => Promise<ApiResponse<Upload>>): Promise<Uploads> {
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

/** The processes that read files for the imports: children of the import processes. */
function readersOf(shop: PartnerShop): number[] {
  return shop.product.processes('pricing-import').flatMap(({ pid }) => {
    try {
      return readdirSync(`/proc/${pid}/task`)
        .flatMap((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim().split(' '))
        .map(Number)
        .filter((child) => child > 0)
    } catch {
      return []
    }
  })
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it is dead already
  }
}
