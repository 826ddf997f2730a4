import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { mediaAttached, mediaFailed } from '@partsbus/contracts/events'
import type { MediaPart } from './media-part.js'
import { type ImageHost, send, startImageHost } from './testing/image-host.js'
import { ask, MediaBench, until } from './testing/media-bench.js'
import { png } from './testing/pictures.js'

const bench = new MediaBench('media_events')
// unlike those of other runs on the same stream
const item = (name: string): string => `${name}-${bench.database}`
let host: ImageHost
let media: MediaPart

beforeAll(async () => {
  host = await startImageHost()
  host.on('/a.png', send(png(1)))
  media = await bench.open()
})

afterAll(async () => {
  await bench.close()
  await host.close()
})

it('a swap noted by a process that was killed before it told is told by the next (at least once)', async () => {
  const [id, good] = [item('E1'), `${host.url}/a.png`]
  await bench.product(id)
  await ask(media, id, [good], { waitMs: 0 })
  const owed = { id: `owed-${id}`, at: new Date().toISOString(), kind: 'attached' as const, media_ids: [41] }
  await (await bench.sets()).updateOne({ _id: `product:${id}` }, { $set: { owed: [owed] } })
  await media.start()
  const events = await until(
    () => bench.eventsOf(id),
    (all) => all.length >= 2,
  )
  expect(events).toContainEqual(
    expect.objectContaining({ subject: mediaAttached.subject, batch: owed.id, media_ids: [41] }),
  )
  await until(
    async () => (await (await bench.sets()).findOne({ _id: `product:${id}` }))?.owed,
    (left) => left?.length === 0,
  )
})

it('tells of pictures that were attached and of those that failed, and nothing when nothing changed', async () => {
  const [id, good, bad] = [item('E2'), `${host.url}/a.png`, `${host.url}/missing.png`]
  await bench.product(id)
  await ask(media, id, [good, bad])
  const events = await until(
    () => bench.eventsOf(id),
    (all) => all.length === 2,
  )
  const [attached] = await bench.mediaOf(id)
  expect(events).toContainEqual(expect.objectContaining({ subject: mediaAttached.subject, media_ids: [attached?.id] }))
  expect(events).toContainEqual(expect.objectContaining({ subject: mediaFailed.subject, urls: [bad] }))
  await ask(media, id, [good])
  await until(async () => (await (await bench.sets()).findOne({ _id: `product:${id}` }))?.settled, Boolean)
  expect(await bench.eventsOf(id)).toHaveLength(2)
})

it('what cannot be told stays owed', async () => {
  const id = item('E3')
  await bench.product(id)
  const { bus } = media.parts
  const isUp = bus.isUp
  bus.isUp = () => false
  await ask(media, id, [`${host.url}/a.png`])
  expect(await bench.namesOf(id)).toEqual(['a.png'])
  const set = await until(
    async () => (await bench.sets()).findOne({ _id: `product:${id}` }),
    (one) => one?.settled === true,
  )
  expect(set?.owed).toEqual([expect.objectContaining({ kind: 'attached' })])
  expect(set?.due_at.getFullYear()).toBeLessThan(9_999)
  bus.isUp = isUp
})
