import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { getImportTask } from '@partsbus/contracts/pricing-import/commands'
import { preparePricing, type PricingUnderTest, STORAGE } from '../testing/pricing-under-test.js'
import { priceText } from '../testing/price-text.js'
import { ServiceProcess } from '../testing/service-process.js'

const ROWS = 3_000
const LEASE_MS = 2_000

// processes are started and killed, on a machine that may be busy
jest.setTimeout(180_000)

let pricing: PricingUnderTest
const processes: ServiceProcess[] = []
const start = (): ServiceProcess => {
  const fresh = new ServiceProcess(pricing)
  processes.push(fresh)
  return fresh
}

beforeAll(async () => {
  pricing = await preparePricing({ IMPORT_LEASE_MS: LEASE_MS, IMPORT_BATCH_ROWS: 50, IMPORT_SAVE_MS: 0 })
})
afterEach(async () => {
  for (const one of processes.splice(0)) await one.end('SIGKILL')
})
afterAll(() => pricing.stop())

/** All that an import leaves, without what differs from run to run. */
async function outcomeOf(taskId: number): Promise<object> {
  const strip = (documents: Array<Record<string, unknown>>) =>
    documents.map(({ _id, version: _version, ...rest }) => ({ place: Number(_id) % 2 ** 24, ...rest }))
  const range = { _id: { $gte: taskId * 2 ** 24, $lt: (taskId + 1) * 2 ** 24 } }
  const [offers, skipped, task] = await Promise.all([
    pricing.db
      .collection('offers')
      .find(range as object)
      .sort({ _id: 1 })
      .toArray(),
    pricing.db
      .collection('skipped_rows')
      .find(range as object)
      .sort({ _id: 1 })
      .toArray(),
    pricing.task(taskId),
  ])
  const { status, total_rows, processed_rows, imported_rows, skipped_rows, error_message, superseded } = task
  return {
    status,
    total_rows,
    processed_rows,
    imported_rows,
    skipped_rows,
    error_message,
    superseded,
    offers: strip(offers),
    skipped: strip(skipped),
  }
}

/** The stored task, whichever process runs it. */
function stored(task: number): Promise<Record<string, unknown> | null> {
  return pricing.db.collection('import_tasks').findOne({ _id: task as never })
}

async function answering(): Promise<void> {
  await pricing.until(() =>
    pricing.ask(getImportTask, { id: 1 }).then(
      () => true,
      (error: { code?: string }) => error.code === 'NOT_FOUND' || undefined,
    ),
  )
}

/** A list with a live version of price 1, and an upload of price 2 that has begun to be written. */
async function halfway(rows: number): Promise<{ list: number; task: number }> {
  const { id: list } = await pricing.newList({ storage_id: STORAGE })
  await pricing.finish(await pricing.upload(list, priceText(50, 1)))
  const task = await pricing.upload(list, priceText(ROWS, 2))
  await pricing.until(async () => ((await pricing.task(task)).processed_rows >= rows ? true : undefined))
  return { list, task }
}

/** Starts a service and interrupts it during an import. A busy machine may notice too late how far an import is. */
async function interrupted(rows: number, interrupt: (service: ServiceProcess) => Promise<unknown>) {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const service = start()
    await answering()
    const found = await halfway(rows)
    await interrupt(service)
    if ((await stored(found.task))?.['status'] === 'processing') return { service, ...found }
    await service.end('SIGKILL')
  }
  throw new Error('each import was completed before it was interrupted')
}

describe('an import that is disturbed', () => {
  let undisturbed: object

  beforeAll(async () => {
    const service = start()
    await answering()
    const { id } = await pricing.newList()
    const task = await pricing.finish(await pricing.upload(id, priceText(ROWS, 2)), 60_000)
    undisturbed = await outcomeOf(task.id)
    expect(undisturbed).toMatchObject({ status: 'completed', total_rows: ROWS, imported_rows: expect.any(Number) })
    await service.end('SIGTERM')
  })

  it.each([1, 1_000, 2_000])('killed after %d rows, it ends with the same rows and counters', async (rows) => {
    const { task } = await interrupted(rows, (service) => service.end('SIGKILL'))
    const killedAt = Date.now()
    start()
    await answering()
    await pricing.finish(task, 120_000)
    expect(Date.now() - killedAt).toBeLessThan(LEASE_MS + 60_000)
    expect(await outcomeOf(task)).toEqual(undisturbed)
  })

  it('is released at once by an orderly stop, and continues in another process', async () => {
    const first = start()
    await answering()
    const { task } = await halfway(500)
    const second = start()
    await first.end('SIGTERM')
    await answering()
    await pricing.finish(task, 60_000)
    expect(await outcomeOf(task)).toEqual(undisturbed)
    await second.end('SIGTERM')
  })

  it('frozen past its lease and woken after another has finished, it changes nothing', async () => {
    const {
      service: first,
      list,
      task,
    } = await interrupted(1_000, async (service) => {
      service.freeze()
    })
    start()
    // the frozen process still has its subscriptions, so what is asked of it is lost: asked again
    await pricing.until(async () => ((await stored(task))?.['status'] === 'completed' ? true : undefined), 60_000)
    const before = await pricing.db.collection('offers').countDocuments({ version: task })
    first.thaw()
    await answering()
    // a second upload shows that the woken process works on, and lets it have done what it still wanted
    await pricing.finish(await pricing.upload(list, priceText(30, 3)), 60_000)
    expect(await pricing.db.collection('offers').countDocuments({ version: task })).toBe(before)
    expect(await outcomeOf(task)).toEqual(undisturbed)
  })

  it('readers see the old list or the new one, never a mix or nothing', async () => {
    start()
    await answering()
    const { list, task } = await halfway(1)
    const prices = new Set<number>()
    let isDone = false
    const reader = (async () => {
      for (let isLast = false; !isLast;) {
        isLast = isDone
        const found = await pricing.db.collection('price_lists').findOne({ _id: list as never })
        const [row] = await pricing.db
          .collection('offers')
          .find({ version: found?.['active_version'], article_key: 'P7' })
          .toArray()
        prices.add(Number(row?.['price'] ?? -1))
      }
    })()
    await pricing.finish(task, 60_000)
    isDone = true
    await reader
    expect([...prices].sort()).toEqual([1, 2])
  })
})
