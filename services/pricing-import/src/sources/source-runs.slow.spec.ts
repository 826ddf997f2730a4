import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { PriceList } from '@partsbus/contracts/pricing-import/price-list'
import type { PriceListSource } from '@partsbus/contracts/pricing-import/price-list-source'
import {
  getPriceList,
  listImportTasks,
  patchPriceList,
  runSource,
  testSource,
} from '@partsbus/contracts/pricing-import/commands'
import { defaultCallSettings } from '@partsbus/contracts/administration/settings'
import type { BusClient } from '@partsbus/platform/bus/client'
import { PausableWork } from '@partsbus/platform/process/pausable-work'
import { LeaseStore } from '@partsbus/platform/mongo/lease-store'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import { PriceListStore } from '../price-lists/price-list-store.js'
import { type PricingUnderTest, startPricing } from '../testing/pricing-under-test.js'
import { ImportSource } from './import-source.js'
import { SourceRuns } from './source-runs.js'
import { SourceSlots } from './source-slots.js'

const TEXT = 'Бренд;Артикул;Количество;Цена\nA;RUN-1;5;10\n'

let pricing: PricingUnderTest
let host: Server
let base = ''
let answer: RequestListener
let asked = 0
let lists: number[] = []

beforeAll(async () => {
  pricing = await startPricing({ SOURCE_ALLOWED_HOSTS: ['127.0.0.1'] })
  host = createServer((request, response) => {
    asked += 1
    answer(request, response)
  })
  await new Promise<void>((done) => host.listen(0, '127.0.0.1', done))
  base = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
})
beforeEach(async () => {
  // sources of the tests before must not be due again
  for (const id of lists) await pricing.ask(patchPriceList, { id, patch: { sources: [] } })
  lists = []
  asked = 0
  answer = (_request, response) => response.end(TEXT)
  pricing.settings = defaultCallSettings
})
afterAll(async () => {
  host.close()
  host.closeAllConnections()
  await pricing.stop()
})

async function newSource(more: Partial<PriceListSource> = {}): Promise<PriceList> {
  const list = await pricing.newList({
    sources: [{ kind: 'url', url: `${base}/price.csv`, ...more } as PriceListSource],
  })
  lists.push(list.id)
  return list
}
const lastRun = async ({ id }: PriceList) => (await pricing.ask(getPriceList, { id })).sources[0]?.last_run
const ran = (list: PriceList, outcome: string) =>
  pricing.until(async () => ((await lastRun(list))?.outcome === outcome ? true : undefined))
/** As if the last run had been that long ago. */
const age = (list: PriceList, minutes: number) =>
  pricing.db
    .collection<{ _id: number }>('price_lists')
    .updateOne(
      { _id: list.id },
      { $set: { 'sources.0.state.last_run.at': new Date(Date.now() - minutes * 60_000).toISOString() } },
    )

describe('a source on its schedule', () => {
  it('is fetched at once, and again only after its interval', async () => {
    const list = await newSource({ every_minutes: 60 })
    await pricing.sources.runDue()
    await ran(list, 'imported')
    await pricing.sources.runDue()
    await age(list, 59)
    await pricing.sources.runDue()
    expect(asked).toBe(1)
    await age(list, 60)
    await pricing.sources.runDue()
    await ran(list, 'unchanged')
    expect(asked).toBe(2)
  })

  it('is not fetched when it or its list is inactive', async () => {
    await newSource({ is_active: false })
    const list = await newSource()
    await pricing.ask(patchPriceList, { id: list.id, patch: { is_active: false } })
    await pricing.sources.runDue()
    expect([asked, await lastRun(list)]).toEqual([0, null])
  })

  it('is fetched once when several replicas find it due', async () => {
    const replica = await pricing.startService()
    const list = await newSource()
    let letGo = (): void => undefined
    // this one has found it due, and is held up until the other has fetched it
    const held = new Promise<void>((done) => {
      letGo = done
    })
    const { app } = replica
    const settings = async () => {
      await held
      return defaultCallSettings
    }
    const slow = new SourceRuns(
      app.get(PriceListStore),
      app.get(LeaseStore),
      app.get(ImportSource),
      app.get(SourceSlots),
      { request: settings } as unknown as BusClient,
      app.get(PausableWork),
      app.get(LOG),
    )
    const late = slow.runDue()
    await Promise.all(Array.from({ length: 10 }, () => pricing.sources.runDue()))
    await ran(list, 'imported')
    letGo()
    await late
    await replica.stop()
    pricing.services.pop()
    expect(asked).toBe(1)
    expect(await pricing.ask(listImportTasks, { page: 1, per_page: 10, price_list_id: list.id })).toMatchObject({
      total: 1,
    })
    expect(await lastRun(list)).toMatchObject({ outcome: 'imported' })
  })

  it('is fetched by another process after its process died and the lease expired', async () => {
    const list = await newSource()
    const leases = pricing.db.collection<{ _id: string }>('leases')
    await leases.updateOne(
      { _id: `source:${list.id}:1` },
      { $set: { owner: 'dead', until: new Date(Date.now() + 60_000) } },
      { upsert: true },
    )
    await pricing.sources.runDue()
    expect(await pricing.ask(runSource, { id: list.id, source_id: 1 })).toEqual({
      task_id: null,
      message: 'The source is being fetched already.',
    })
    expect(asked).toBe(0)
    await leases.updateOne({ _id: `source:${list.id}:1` }, { $set: { until: new Date(0) } })
    await pricing.sources.runDue()
    await ran(list, 'imported')
  })

  it('records a failed run when the process that ran it died, and waits for its interval', async () => {
    const list = await newSource()
    const began = new Date(Date.now() - 5_000).toISOString()
    await pricing.db
      .collection<{ _id: number }>('price_lists')
      .updateOne({ _id: list.id }, { $set: { 'sources.0.state.run_began_at': began }, $inc: { sources_rev: 1 } })
    await pricing.sources.runDue()
    await ran(list, 'failed')
    expect(await lastRun(list)).toEqual({
      at: began,
      outcome: 'failed',
      message: 'The fetch was interrupted: the service or its database went down while it ran.',
      task_id: null,
    })
    await pricing.sources.runDue()
    expect(asked).toBe(0)
    expect(await pricing.ask(runSource, { id: list.id, source_id: 1 })).toMatchObject({ task_id: expect.any(Number) })
  })

  it('is aborted when the process stops, and fetched by the next process with the stored validators', async () => {
    const done = await newSource()
    await pricing.sources.runDue()
    await ran(done, 'imported')
    const list = await newSource()
    let met = (): void => undefined
    const meets = new Promise<void>((found) => {
      met = found
    })
    answer = () => met()
    await pricing.sources.runDue()
    await meets
    await pricing.stopServices()
    answer = (_request, response) => response.end(TEXT)
    await pricing.startService({ SOURCE_ALLOWED_HOSTS: ['127.0.0.1'] })
    expect(await lastRun(list)).toBeNull()
    asked = 0
    await pricing.sources.runDue()
    await ran(list, 'imported')
    expect(asked).toBe(1)
  })

  it('uses the settings at the time of its run', async () => {
    const list = await newSource()
    pricing.settings = { ...defaultCallSettings, 'price-lists.import.max_file_size': 10 }
    await pricing.sources.runDue()
    await ran(list, 'failed')
    expect(await lastRun(list)).toMatchObject({ message: 'The file is larger than 10 bytes.', task_id: null })
    pricing.settings = defaultCallSettings
    await age(list, 60)
    await pricing.sources.runDue()
    await ran(list, 'imported')
  })
})

describe('sources run by hand', () => {
  it('run right after maintenance, before this process knows that it is over (admin.md#maintenance)', async () => {
    const work = pricing.get(PausableWork)
    pricing.settings = { ...defaultCallSettings, maintenance: 'A backup is being made.' }
    await pricing.until(async () => (work.isPaused ? true : undefined))
    const list = await newSource()
    await pricing.sources.runDue()
    expect(asked).toBe(0)
    let isCounted = false
    answer = (_request, response) => {
      isCounted = work.busy.includes('source')
      response.end(TEXT)
    }
    const { task_id } = await pricing.ask(runSource, { id: list.id, source_id: 1 })
    pricing.settings = defaultCallSettings
    await pricing.until(async () => (work.isPaused ? undefined : true))
    expect({ task_id, isCounted }).toEqual({ task_id: expect.any(Number), isCounted: true })
  })

  it('leave a place to scheduled ones, wait, and are refused beyond eight waiting (admin.md#source-run)', async () => {
    const replies: ServerResponse[] = []
    answer = (_request, response) => replies.push(response)
    const made = await Promise.all(Array.from({ length: 13 }, () => newSource({ is_active: false })))
    const [refused, scheduled, ...byHand] = made as [PriceList, PriceList, ...PriceList[]]
    const runs = byHand.map(({ id }) => pricing.ask(runSource, { id, source_id: 1 }))
    // three are fetched, eight wait
    await pricing.until(async () => (asked === 3 ? true : undefined))
    await expect(pricing.ask(runSource, { id: refused.id, source_id: 1 })).rejects.toMatchObject({ code: 'OVERLOADED' })
    await expect(
      pricing.ask(testSource, { id: refused.id, source: { kind: 'url', url: `${base}/test.csv` } as PriceListSource }),
    ).rejects.toMatchObject({ code: 'OVERLOADED' })
    const source = { id: 1, kind: 'url', url: `${base}/price.csv` } as PriceListSource
    await pricing.ask(patchPriceList, { id: scheduled.id, patch: { sources: [source] } })
    await pricing.sources.runDue()
    await pricing.until(async () => (asked === 4 ? true : undefined))
    answer = (_request, response) => response.end(TEXT)
    for (const reply of replies) reply.end(TEXT)
    for (const { task_id } of await Promise.all(runs)) expect(task_id).toEqual(expect.any(Number))
    await ran(scheduled, 'imported')
    expect(asked).toBe(12)
  })
})

describe('a list that is changed while a source of it is fetched', () => {
  it('keeps the state that the run stored', async () => {
    const list = await newSource({ is_active: false })
    const [{ last_run: _, ...source } = { last_run: null }] = list.sources
    const patches = Array.from({ length: 10 }, (_, at) =>
      pricing.ask(patchPriceList, {
        id: list.id,
        patch: { sources: [{ ...source, every_minutes: 100 + at } as PriceListSource] },
      }),
    )
    const [{ task_id }] = await Promise.all([pricing.ask(runSource, { id: list.id, source_id: 1 }), ...patches])
    expect(await lastRun(list)).toMatchObject({ outcome: 'imported', task_id })
    expect(await pricing.ask(runSource, { id: list.id, source_id: 1 })).toMatchObject({ task_id: null })
  })

  it('with another address is fetched from there, regardless of the old state', async () => {
    const list = await newSource({ is_active: false })
    answer = (request, response) => {
      if (request.headers['if-none-match']) response.writeHead(304).end()
      else if (request.url === '/new.csv') response.setHeader('etag', '"same"').end(TEXT)
      else {
        pricing
          .ask(patchPriceList, {
            id: list.id,
            patch: { sources: [{ id: 1, kind: 'url', url: `${base}/new.csv`, is_active: false }] },
          })
          .then(
            () => response.setHeader('etag', '"same"').end(TEXT),
            () => response.destroy(),
          )
      }
    }
    expect(await pricing.ask(runSource, { id: list.id, source_id: 1 })).toMatchObject({ task_id: expect.any(Number) })
    expect(await lastRun(list)).toMatchObject({ outcome: 'imported' })
    expect(await pricing.ask(runSource, { id: list.id, source_id: 1 })).toMatchObject({ task_id: expect.any(Number) })
  })
})
