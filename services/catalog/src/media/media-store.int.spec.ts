import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { FileDriver } from '@partsbus/file-store/file-driver'
import { CounterStore } from '@partsbus/platform/mongo/counter-store'
import { type MediaRecord, MediaStore } from './media-store.js'
import { MediaBench } from './testing/media-bench.js'

const COUNT = 3_000

const bench = new MediaBench('media_store')
let media: MediaStore
beforeAll(async () => {
  const db = await bench.db()
  // the bytes are not read
  media = new MediaStore(db, new CounterStore(db.collection('counters')), {} as FileDriver)
  await db
    .collection<Pick<MediaRecord, '_id' | 'sha256'>>('media')
    .insertMany(Array.from({ length: COUNT }, (_, at) => ({ _id: at + 1, sha256: `${at}` })))
})
afterAll(() => bench.close())

it('finds all of more images than it caches, also when some are cached', async () => {
  const ids = Array.from({ length: COUNT }, (_, at) => at + 1)
  expect([...(await media.getMany(ids)).keys()]).toEqual(ids)
  expect(await media.get(7)).toMatchObject({ sha256: '6' })
  expect([...(await media.getMany([...ids, COUNT + 1])).keys()].toSorted((a, b) => a - b)).toEqual(ids)
})
