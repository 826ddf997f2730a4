import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { defaultCallSettings } from '@partsbus/contracts/administration/settings'
import type { listMediaJobs } from '@partsbus/contracts/catalog/commands'
import type { RequestOf } from '@partsbus/contracts/message'
import { streams } from '@partsbus/contracts/streams'
import { runInScope } from '@partsbus/platform/bus/call-scope'
import { ensureStream } from '@partsbus/platform/bus/streams'
import { gate, type ImageHost, sendImage, startImageHost } from '@partsbus/test-kit/image-host'
import { MediaBench, type MediaProcess, requestImages } from './testing/media-bench.js'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { png } from '@partsbus/test-kit/png'

let bench: MediaBench
let host: ImageHost

beforeAll(async () => {
  host = await startImageHost()
})
beforeEach(() => {
  bench = new MediaBench('media_worker')
})
afterEach(() => bench.close())
afterAll(() => host.close())

/** Replies 503 a number of times before it sends the image. */
function failFirst(path: string, times: number, seed: number): () => number {
  let asked = 0
  host.on(path, (request, response) => {
    asked += 1
    if (asked <= times) response.writeHead(503).end()
    else sendImage(png(seed))(request, response)
  })
  return () => asked
}

async function running(hooks: Parameters<MediaBench['open']>[0] = {}): Promise<MediaProcess> {
  const media = await bench.open(hooks)
  media.start()
  return media
}

const retry = (media: MediaProcess, id: number, media_allowed_hosts: string[]) =>
  media.jobs.retryMediaJob({ body: { id }, settings: { ...defaultCallSettings, media_allowed_hosts } })

const listJobs = (media: MediaProcess, body: RequestOf<typeof listMediaJobs>, admin_locale: 'en' | 'ru' = 'en') =>
  media.jobs.listMediaJobs({ body, settings: { ...defaultCallSettings, admin_locale } })

const atRest = async (id: string): Promise<boolean> => {
  const set = await (await bench.sets()).findOne({ _id: id })
  return set !== null && set.settled && set.owed.length === 0 && set.due_at.getFullYear() === 9_999
}

describe('an image with a transient failure', () => {
  it('is reported, retried with back-off, and attached when it succeeds', async () => {
    await bench.product('P1')
    host.on('/good.png', sendImage(png(1)))
    const asked = failFirst('/flaky.png', 2, 2)
    const media = await running()
    expect(await requestImages(media, 'P1', [`${host.url}/flaky.png`, `${host.url}/good.png`])).toEqual([
      { erp_id: 'P1', url: `${host.url}/flaky.png` },
    ])
    expect(await bench.namesOf('P1')).toEqual(['good.png'])
    await waitFor(
      () => bench.namesOf('P1'),
      (names) => names.length === 2,
    )
    expect(await bench.namesOf('P1')).toEqual(['flaky.png', 'good.png'])
    expect(asked()).toBe(3)
    await waitFor(() => atRest('product:P1'), Boolean)
  })

  it('is given up after the last attempt, listed, and retried with the current setting', async () => {
    await bench.product('P2')
    const asked = failFirst('/away.png', 3, 3)
    const media = await running()
    await requestImages(media, 'P2', [`${host.url}/away.png`])
    const failed = async () => (await listJobs(media, { page: 1, per_page: 50, status: 'failed' })).data
    const [job] = await waitFor(failed, (jobs) => jobs.length === 1)
    expect(job).toEqual({
      id: expect.any(Number),
      item: 'product',
      erp_id: 'P2',
      url: `${host.url}/away.png`,
      attempts: 3,
      last_error: 'HTTP 503',
      status: 'failed',
      updated_at: expect.any(String),
    })
    // admin.md#locale
    const [inRussian] = (await listJobs(media, { page: 1, per_page: 50, status: 'failed' }, 'ru')).data
    expect(inRussian?.last_error).toBe('сервер ответил HTTP 503')
    expect(asked()).toBe(3)
    const blocked = await retry(media, job?.id ?? 0, [])
    expect(blocked).toMatchObject({ id: job?.id, status: 'pending', attempts: 0 })
    await waitFor(failed, (jobs) => jobs[0]?.last_error === 'the address is not public')
    await retry(media, job?.id ?? 0, ['127.0.0.1'])
    await waitFor(
      () => bench.namesOf('P2'),
      (names) => names[0] === 'away.png',
    )
    expect(await listJobs(media, { page: 1, per_page: 50 })).toEqual({
      data: [],
      total: 0,
      page: 1,
      per_page: 50,
    })
    await expect(retry(media, job?.id ?? 0, [])).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('is logged with the id of the request that asked for it (rules.md#images-log)', async () => {
    await bench.product('R1')
    failFirst('/logged.png', 9, 4)
    const media = await running({ times: { backoffMs: [] } })
    const info = jest.spyOn(media.runtime.log, 'info')
    const failures = () => info.mock.calls.filter(([, text]) => text === 'image download failed').map(([line]) => line)
    await runInScope({ requestId: 'batch-7' }, () => requestImages(media, 'R1', [`${host.url}/logged.png`]))
    const failed = async () => (await listJobs(media, { page: 1, per_page: 50, status: 'failed' })).data
    const [job] = await waitFor(failed, (jobs) => jobs.length === 1)
    await runInScope({ requestId: 'retry-8' }, () => retry(media, job?.id ?? 0, ['127.0.0.1']))
    await waitFor(
      () => Promise.resolve(failures()),
      (lines) => lines.length === 2,
    )
    expect(failures()).toMatchObject([
      { request_id: 'batch-7', erp_id: 'R1', reason: 'HTTP 503' },
      { request_id: 'retry-8', erp_id: 'R1', reason: 'HTTP 503' },
    ])
  })

  it('is listed by status and behind an id (admin.md#keyset)', async () => {
    await bench.product('L1')
    await bench.product('L2')
    host.on('/fine.png', sendImage(png(40)))
    failFirst('/never.png', 99, 41)
    const media = await running({ times: { backoffMs: [60_000] } })
    const [never, gone, fine] = ['never', 'gone', 'fine'].map((name) => `${host.url}/${name}.png`) as [
      string,
      string,
      string,
    ]
    await requestImages(media, 'L1', [never, fine, gone])
    await requestImages(media, 'L2', [gone, never])
    const list = async (request: object) => {
      const { data, total } = await listJobs(media, { page: 1, per_page: 50, ...request })
      return {
        total,
        jobs: data.map(({ erp_id, url }) => `${erp_id} ${url.split('/').at(-1)}`),
        ids: data.map(({ id }) => id),
      }
    }
    const all = await list({})
    expect(all).toMatchObject({ total: 4, jobs: ['L1 never.png', 'L1 gone.png', 'L2 gone.png', 'L2 never.png'] })
    expect(await list({ status: 'failed' })).toMatchObject({ total: 2, jobs: ['L1 gone.png', 'L2 gone.png'] })
    expect(await list({ page: 2, per_page: 3 })).toMatchObject({ total: 4, jobs: ['L2 never.png'] })
    expect(await list({ after_id: all.ids[0] })).toMatchObject({ total: 4, jobs: all.jobs.slice(1) })
    expect(await list({ after_id: all.ids[1], status: 'pending' })).toMatchObject({ total: 2, jobs: ['L2 never.png'] })
  })

  it('survives a restart', async () => {
    await bench.product('P3')
    failFirst('/later.png', 1, 4)
    const first = await running({ times: { backoffMs: [600] } })
    expect(await requestImages(first, 'P3', [`${host.url}/later.png`])).toHaveLength(1)
    await first.stop()
    await running()
    await waitFor(
      () => bench.namesOf('P3'),
      (names) => names[0] === 'later.png',
    )
  })
})

describe('a requested image', () => {
  it('is fetched although there was no worker and no nudge', async () => {
    await bench.product('Q1')
    host.on('/q1.png', sendImage(png(10)))
    const other = await bench.open({
      queue: { name: `${bench.queue.name}_X`, subject: `${bench.queue.subject}.nobody` },
    })
    expect(await requestImages(other, 'Q1', [`${host.url}/q1.png`], { waitMs: 0 })).toEqual([])
    await running()
    await waitFor(
      () => bench.namesOf('Q1'),
      (names) => names[0] === 'q1.png',
    )
  })

  it('is fetched after nudges of other forms, which are acknowledged', async () => {
    await bench.product('P4b')
    host.on('/after.png', sendImage(png(14)))
    const media = await bench.open()
    await ensureStream(media.runtime.bus.nc, {
      ...streams.media,
      name: bench.queue.name,
      subjects: [bench.queue.subject],
    })
    for (const body of ['x', '', '{"sets":["product:P4b"],"form":"of tomorrow"}', '[1,null]'])
      await jetstream(media.runtime.bus.nc).publish(bench.queue.subject, body)
    media.start()
    await requestImages(media, 'P4b', [`${host.url}/after.png`])
    expect(await bench.namesOf('P4b')).toEqual(['after.png'])
    const manager = await jetstreamManager(media.runtime.bus.nc)
    await waitFor(
      async () => (await manager.streams.info(bench.queue.name)).state.messages,
      (messages) => messages === 0,
    )
  })

  it('is fetched after the stream was deleted', async () => {
    await bench.product('Q2')
    host.on('/q2.png', sendImage(png(11)))
    const media = await running()
    await requestImages(media, 'Q2', [`${host.url}/q2.png`])
    await (await jetstreamManager(media.runtime.bus.nc)).streams.delete(bench.queue.name)
    await bench.product('Q3')
    expect(await requestImages(media, 'Q3', [`${host.url}/q2.png`])).toEqual([])
    expect(await bench.namesOf('Q3')).toEqual(['q2.png'])
  })

  it('is attached although a process was killed between the two writes', async () => {
    await bench.product('Q8')
    host.on('/q8.png', sendImage(png(18)))
    const media = await bench.open()
    media.items.swap = () => Promise.reject(new Error('killed'))
    media.start()
    await requestImages(media, 'Q8', [`${host.url}/q8.png`], { waitMs: 0 })
    await waitFor(
      async () => (await (await bench.sets()).findOne({ _id: 'product:Q8' }))?.images[0]?.status,
      (status) => status === 'done',
    )
    expect(await bench.namesOf('Q8')).toEqual([])
    await running()
    await waitFor(
      () => bench.namesOf('Q8'),
      (names) => names[0] === 'q8.png',
    )
    expect(host.requests.filter((path) => path === '/q8.png')).toHaveLength(1)
  })

  it('is taken over when a claim expires, and the frozen worker is fenced off', async () => {
    await bench.product('Q4')
    const slow = gate(sendImage(png(12)))
    host.on('/q4.png', slow)
    const dead = await running()
    // a frozen process does not renew its claims
    dead.sets.renew = () => Promise.resolve()
    await requestImages(dead, 'Q4', [`${host.url}/q4.png`], { waitMs: 0 })
    await waitFor(async () => host.requests.includes('/q4.png'), Boolean)
    const revOf = async (): Promise<number> => (await (await bench.sets()).findOne({ _id: 'product:Q4' }))?.rev ?? 0
    const claimed = await revOf()
    host.on('/q4.png', sendImage(png(13, 9, 9)))
    await running()
    await waitFor(
      () => bench.mediaOf('Q4'),
      (media) => media[0]?.width === 9,
    )
    expect(await revOf()).toBeGreaterThan(claimed)
    slow.open()
    await dead.stop()
    expect((await bench.mediaOf('Q4'))[0]?.width).toBe(9)
  })

  it('is attached although an earlier request is attached between the read and the write', async () => {
    await bench.product('Q9')
    host.on('/q9.png', sendImage(png(19)))
    const media = await running()
    await requestImages(media, 'Q9', [`${host.url}/q9.png`])
    const [wanted] = await bench.mediaOf('Q9')
    const find = media.items.find.bind(media.items)
    media.items.find = async (item, erpIds) => {
      const found = await find(item, erpIds)
      await (await bench.products()).updateOne({ _id: 'Q9' }, { $set: { media: [] } })
      return found
    }
    await requestImages(media, 'Q9', [`${host.url}/q9.png`])
    expect(await bench.mediaOf('Q9')).toEqual([wanted])
  })

  it('stays with a worker that renews its claim, however long the download takes', async () => {
    await bench.product('Q5')
    const slow = gate(sendImage(png(14)))
    host.on('/q5.png', slow)
    const media = await running({ times: { leaseMs: 1_200 } })
    await running({ times: { leaseMs: 1_200 } })
    await requestImages(media, 'Q5', [`${host.url}/q5.png`], { waitMs: 3_500 })
    expect(host.requests.filter((path) => path === '/q5.png')).toHaveLength(1)
    slow.open()
    await waitFor(
      () => bench.namesOf('Q5'),
      (names) => names[0] === 'q5.png',
    )
  })

  it('is released at once by a worker that stops', async () => {
    await bench.product('Q6')
    host.on('/q6.png', gate(sendImage(png(15))))
    const first = await running({ times: { leaseMs: 60_000 } })
    await requestImages(first, 'Q6', [`${host.url}/q6.png`], { waitMs: 0 })
    await waitFor(async () => host.requests.includes('/q6.png'), Boolean)
    await first.stop()
    host.on('/q6.png', sendImage(png(16)))
    await running({ times: { leaseMs: 60_000 } })
    await waitFor(
      () => bench.namesOf('Q6'),
      (names) => names[0] === 'q6.png',
    )
  })

  it('is waited for by a process without a worker', async () => {
    await bench.product('Q7')
    host.on('/q7.png', sendImage(png(17)))
    await running()
    const other = await bench.open()
    expect(await requestImages(other, 'Q7', [`${host.url}/gone.png`, `${host.url}/q7.png`])).toEqual([
      { erp_id: 'Q7', url: `${host.url}/gone.png` },
    ])
    expect(await bench.namesOf('Q7')).toEqual(['q7.png'])
  })
})
