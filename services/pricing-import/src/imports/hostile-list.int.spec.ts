import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type PricingUnderTest, startPricing } from '../testing/pricing-under-test.js'
import { CSV_HEADER, newArticle } from '../testing/price-text.js'

/** The gateway waits five seconds for a status. */
const STATUS_MS = 2_000
const STATUSES = 20
const LEASE_MS = 1_500

let pricing: PricingUnderTest
let other: { list: number; task: number }
beforeAll(async () => {
  pricing = await startPricing({ IMPORT_LEASE_MS: LEASE_MS })
  const { id } = await pricing.newList()
  other = { list: id, task: await pricing.upload(id, `${CSV_HEADER}A;${newArticle()};x;1;1\n`) }
  await pricing.finish(other.task)
})
afterAll(() => pricing.stop())

/** The slowest of many statuses that another partner asks for, in ms. */
async function slowestStatus(): Promise<number> {
  const times: number[] = []
  for (let turn = 0; turn < STATUSES; turn += 1) {
    const askedAt = performance.now()
    await pricing.task(other.task)
    times.push(performance.now() - askedAt)
  }
  return Math.max(...times)
}

/** The processes that read the files of the service. */
function readerPids(): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && isReader(pid))
}

function isReader(pid: number): boolean {
  try {
    const [, parent] = /\) \w (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return Number(parent) === process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('reader-child')
  } catch {
    return false
  }
}

// promises.md#promise-6
describe('a price list that is made to be slow', () => {
  it('is read in time, and others have the status of their imports meanwhile', async () => {
    const { id } = await pricing.newList()
    const rows = [' ', '\u00a0', '1 ', '1,', '0', '"'].map((unit) => `A;${newArticle()};x;1;1${unit.repeat(4_500)}x\n`)
    const task = await pricing.upload(id, CSV_HEADER + rows.join(''))
    expect(await slowestStatus()).toBeLessThan(STATUS_MS)
    expect(await pricing.finish(task, 20_000)).toMatchObject({ status: 'failed', skipped_rows: rows.length })
  })

  const good = () => `${CSV_HEADER}A;${newArticle()};x;1;1\n`
  /** An import whose reader computes until the test lets it go on. */
  async function startStuck(): Promise<{ list: number; stuck: number; goOn: () => boolean }> {
    await pricing.import(other.list, good())
    const [idle] = await pricing.until(async () => (readerPids().length === 1 ? readerPids() : undefined))
    // the service ends it in any case
    process.kill(idle!, 'SIGSTOP')
    const { id } = await pricing.newList()
    const stuck = await pricing.upload(id, good())
    await pricing.until(async () => ((await pricing.task(stuck)).status === 'processing' ? true : undefined))
    return { list: id, stuck, goOn: () => process.kill(idle!, 'SIGCONT') }
  }

  it('holds up neither statuses nor imports of others, however long it is read', async () => {
    const { stuck, goOn } = await startStuck()
    expect(await slowestStatus()).toBeLessThan(STATUS_MS)
    expect(await pricing.import(other.list, good())).toMatchObject({ status: 'completed' })
    expect((await pricing.task(stuck)).status).toBe('processing')
    goOn()
    expect(await pricing.finish(stuck)).toMatchObject({ status: 'completed' })
  })

  it('stays with its worker for longer than a lease, so that no other replica reads it as well', async () => {
    const { list, stuck, goOn } = await startStuck()
    const leaseEnd = async (): Promise<number> =>
      (
        await pricing.db.collection<{ _id: number; lease_until: Date }>('price_lists').findOne({ _id: list })
      )?.lease_until.getTime() ?? 0
    const firstEnd = await leaseEnd()
    await pricing.startService()
    await pricing.until(async () => ((await leaseEnd()) > firstEnd + 2 * LEASE_MS ? true : undefined))
    expect(await pricing.stores.tasks.find(stuck)).toMatchObject({ attempt: 1, status: 'processing' })
    goOn()
    expect(await pricing.finish(stuck)).toMatchObject({ status: 'completed' })
  })
})
