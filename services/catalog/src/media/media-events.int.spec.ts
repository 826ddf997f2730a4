import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { mediaAttached, mediaFailed } from '@partsbus/contracts/events'
import { type ImageHost, sendImage, startImageHost } from '@partsbus/test-kit/image-host'
import { MediaBench, type MediaProcess, requestImages } from './testing/media-bench.js'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { png } from '@partsbus/test-kit/png'

const bench = new MediaBench('media_events')
// unique among the runs that share the stream
const item = (name: string): string => `${name}-${bench.database}`
let host: ImageHost
let media: MediaProcess

beforeAll(async () => {
  host = await startImageHost()
  host.on('/a.png', sendImage(png(1)))
  media = await bench.open()
})

afterAll(async () => {
  await bench.close()
  await host.close()
})

it('publishes the event of a process that was killed before it published', async () => {
  const [id, good] = [item('E1'), `${host.url}/a.png`]
  await bench.product(id)
  await requestImages(media, id, [good], { waitMs: 0 })
  const owed = { id: `owed-${id}`, at: new Date().toISOString(), kind: 'attached' as const, media_ids: [41] }
  await (await bench.sets()).updateOne({ _id: `product:${id}` }, { $set: { owed: [owed] } })
  media.start()
  const events = await waitFor(
    () => bench.eventsOf(id),
    (all) => all.length >= 2,
  )
  expect(events).toContainEqual(
    expect.objectContaining({ subject: mediaAttached.subject, batch: owed.id, media_ids: [41] }),
  )
  await waitFor(
    async () => (await (await bench.sets()).findOne({ _id: `product:${id}` }))?.owed,
    (left) => left?.length === 0,
  )
})

it('publishes attached and failed images, and nothing when nothing changed', async () => {
  const [id, good, bad] = [item('E2'), `${host.url}/a.png`, `${host.url}/missing.png`]
  await bench.product(id)
  await requestImages(media, id, [good, bad])
  const events = await waitFor(
    () => bench.eventsOf(id),
    (all) => all.length === 2,
  )
  const [attached] = await bench.mediaOf(id)
  expect(events).toContainEqual(expect.objectContaining({ subject: mediaAttached.subject, media_ids: [attached?.id] }))
  expect(events).toContainEqual(expect.objectContaining({ subject: mediaFailed.subject, urls: [bad] }))
  await requestImages(media, id, [good])
  await waitFor(async () => (await (await bench.sets()).findOne({ _id: `product:${id}` }))?.settled, Boolean)
  expect(await bench.eventsOf(id)).toHaveLength(2)
})

it('keeps an event that cannot be published', async () => {
  const id = item('E3')
  await bench.product(id)
  const { bus } = media.runtime
  const isUp = bus.isUp
  bus.isUp = () => false
  await requestImages(media, id, [`${host.url}/a.png`])
  expect(await bench.namesOf(id)).toEqual(['a.png'])
  const set = await waitFor(
    async () => (await bench.sets()).findOne({ _id: `product:${id}` }),
    (one) => one?.settled === true,
  )
  expect(set?.owed).toEqual([expect.objectContaining({ kind: 'attached' })])
  expect(set?.due_at.getFullYear()).toBeLessThan(9_999)
  bus.isUp = isUp
})
