import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { jetstreamManager } from '@nats-io/jetstream'
import { listMediaJobs } from './list-media-jobs.js'
import type { MediaPart } from './media-part.js'
import { retryMediaJob } from './retry-media-job.js'
import { gate, type ImageHost, send, startImageHost } from './testing/image-host.js'
import { ask, MediaBench, until } from './testing/media-bench.js'
import { png } from './testing/pictures.js'

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

/** Answers so many times with 503 before the picture. */
function failFirst(path: string, times: number, seed: number): () => number {
  let asked = 0
  host.on(path, (request, response) => {
    asked += 1
    if (asked <= times) response.writeHead(503).end()
    else send(png(seed))(request, response)
  })
  return () => asked
}

async function running(hooks: Parameters<MediaBench['open']>[0] = {}): Promise<MediaPart> {
  const media = await bench.open(hooks)
  await media.start()
  return media
}

const atRest = async (id: string): Promise<boolean> => {
  const set = await (await bench.sets()).findOne({ _id: id })
  return set !== null && set.settled && set.owed.length === 0 && set.due_at.getFullYear() === 9_999
}

describe('an image that failed for now', () => {
  it('is an entry, is retried with back-off, and swapped in when it succeeds', async () => {
    await bench.product('P1')
    host.on('/good.png', send(png(1)))
    const asked = failFirst('/flaky.png', 2, 2)
    const media = await running()
    expect(await ask(media, 'P1', [`${host.url}/flaky.png`, `${host.url}/good.png`])).toEqual([
      { erp_id: 'P1', url: `${host.url}/flaky.png` },
    ])
    expect(await bench.namesOf('P1')).toEqual(['good.png'])
    await until(
      () => bench.namesOf('P1'),
      (names) => names.length === 2,
    )
    expect(await bench.namesOf('P1')).toEqual(['flaky.png', 'good.png'])
    expect(asked()).toBe(3)
    await until(() => atRest('product:P1'), Boolean)
  })

  it('is given up after the last attempt, listed, and tried again by an administrator with the setting of that moment', async () => {
    await bench.product('P2')
    const asked = failFirst('/away.png', 3, 3)
    const media = await running()
    await ask(media, 'P2', [`${host.url}/away.png`])
    const failed = async () => (await listMediaJobs(media, { page: 1, per_page: 50, status: 'failed' })).data
    const [job] = await until(failed, (jobs) => jobs.length === 1)
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
    expect(asked()).toBe(3)
    const blocked = await retryMediaJob(media, job?.id ?? 0, [])
    expect(blocked).toMatchObject({ id: job?.id, status: 'pending', attempts: 0 })
    await until(failed, (jobs) => jobs[0]?.last_error === 'the address is not public')
    await retryMediaJob(media, job?.id ?? 0, ['127.0.0.1'])
    await until(
      () => bench.namesOf('P2'),
      (names) => names[0] === 'away.png',
    )
    expect(await listMediaJobs(media, { page: 1, per_page: 50 })).toEqual({ data: [], total: 0, page: 1, per_page: 50 })
    await expect(retryMediaJob(media, job?.id ?? 0, [])).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('survives a restart', async () => {
    await bench.product('P3')
    failFirst('/later.png', 1, 4)
    const first = await running({ times: { backoffMs: [600] } })
    expect(await ask(first, 'P3', [`${host.url}/later.png`])).toHaveLength(1)
    await first.stop()
    await running()
    await until(
      () => bench.namesOf('P3'),
      (names) => names[0] === 'later.png',
    )
  })
})

describe('what was asked for', () => {
  it('is fetched though no worker was there and no nudge came through', async () => {
    await bench.product('Q1')
    host.on('/q1.png', send(png(10)))
    const asking = await bench.open({
      queue: { name: `${bench.queue.name}_X`, subject: `${bench.queue.subject}.nobody` },
    })
    expect(await ask(asking, 'Q1', [`${host.url}/q1.png`], { waitMs: 0 })).toEqual([])
    await running()
    await until(
      () => bench.namesOf('Q1'),
      (names) => names[0] === 'q1.png',
    )
  })

  it('is fetched after the stream was deleted', async () => {
    await bench.product('Q2')
    host.on('/q2.png', send(png(11)))
    const media = await running()
    await ask(media, 'Q2', [`${host.url}/q2.png`])
    await (await jetstreamManager(media.parts.bus.nc)).streams.delete(bench.queue.name)
    await bench.product('Q3')
    expect(await ask(media, 'Q3', [`${host.url}/q2.png`])).toEqual([])
    expect(await bench.namesOf('Q3')).toEqual(['q2.png'])
  })

  it('is finished when a process was killed between noting how it went and giving the item its pictures', async () => {
    await bench.product('Q8')
    host.on('/q8.png', send(png(18)))
    const media = await bench.open()
    media.items.swap = () => Promise.reject(new Error('killed'))
    await media.start()
    await ask(media, 'Q8', [`${host.url}/q8.png`], { waitMs: 0 })
    await until(
      async () => (await (await bench.sets()).findOne({ _id: 'product:Q8' }))?.images[0]?.status,
      (status) => status === 'done',
    )
    expect(await bench.namesOf('Q8')).toEqual([])
    await running()
    await until(
      () => bench.namesOf('Q8'),
      (names) => names[0] === 'q8.png',
    )
    expect(host.asked.filter((path) => path === '/q8.png')).toHaveLength(1)
  })

  it('is taken over when the claim of a worker that died runs out, and the dead one writes nothing any more', async () => {
    await bench.product('Q4')
    const slow = gate(send(png(12)))
    host.on('/q4.png', slow)
    const dead = await running()
    // as if its process were frozen: it renews nothing from here on
    dead.sets.renew = () => Promise.resolve()
    await ask(dead, 'Q4', [`${host.url}/q4.png`], { waitMs: 0 })
    await until(async () => host.asked.includes('/q4.png'), Boolean)
    const revOf = async (): Promise<number> => (await (await bench.sets()).findOne({ _id: 'product:Q4' }))?.rev ?? 0
    const claimed = await revOf()
    host.on('/q4.png', send(png(13, 9, 9)))
    await running()
    await until(
      () => bench.mediaOf('Q4'),
      (media) => media[0]?.width === 9,
    )
    expect(await revOf()).toBeGreaterThan(claimed)
    slow.open()
    await dead.stop()
    expect((await bench.mediaOf('Q4'))[0]?.width).toBe(9)
  })

  it('stands though an earlier request’s swap comes between looking at the item and writing it', async () => {
    await bench.product('Q9')
    host.on('/q9.png', send(png(19)))
    const media = await running()
    await ask(media, 'Q9', [`${host.url}/q9.png`])
    const [wanted] = await bench.mediaOf('Q9')
    const find = media.items.find.bind(media.items)
    media.items.find = async (item, erpIds) => {
      const found = await find(item, erpIds)
      await (await bench.products()).updateOne({ _id: 'Q9' }, { $set: { media: [] } })
      return found
    }
    await ask(media, 'Q9', [`${host.url}/q9.png`])
    expect(await bench.mediaOf('Q9')).toEqual([wanted])
  })

  it('is kept by a worker that renews its claim, however long the download takes', async () => {
    await bench.product('Q5')
    const slow = gate(send(png(14)))
    host.on('/q5.png', slow)
    const media = await running({ times: { leaseMs: 1_200 } })
    await running({ times: { leaseMs: 1_200 } })
    await ask(media, 'Q5', [`${host.url}/q5.png`], { waitMs: 3_500 })
    expect(host.asked.filter((path) => path === '/q5.png')).toHaveLength(1)
    slow.open()
    await until(
      () => bench.namesOf('Q5'),
      (names) => names[0] === 'q5.png',
    )
  })

  it('is given back at once by a worker that stops', async () => {
    await bench.product('Q6')
    host.on('/q6.png', gate(send(png(15))))
    const first = await running({ times: { leaseMs: 60_000 } })
    await ask(first, 'Q6', [`${host.url}/q6.png`], { waitMs: 0 })
    await until(async () => host.asked.includes('/q6.png'), Boolean)
    await first.stop()
    host.on('/q6.png', send(png(16)))
    const second = await running({ times: { leaseMs: 60_000 } })
    await until(
      () => bench.namesOf('Q6'),
      (names) => names[0] === 'q6.png',
    )
    expect(second.times.leaseMs).toBe(60_000)
  })

  it('is answered by a process whose workers are elsewhere', async () => {
    await bench.product('Q7')
    host.on('/q7.png', send(png(17)))
    await running()
    const asking = await bench.open()
    expect(await ask(asking, 'Q7', [`${host.url}/gone.png`, `${host.url}/q7.png`])).toEqual([
      { erp_id: 'Q7', url: `${host.url}/gone.png` },
    ])
    expect(await bench.namesOf('Q7')).toEqual(['q7.png'])
  })
})
