import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestS3, type TestS3 } from '@partsbus/local-stack/test-s3'
import { type ImageHost, sendImage, startImageHost } from '@partsbus/test-kit/image-host'
import { MediaBench, type MediaProcess, requestImages } from './testing/media-bench.js'
import { png } from '@partsbus/test-kit/png'

const MIB = 1024 * 1024
const folder = mkdtempSync(join(tmpdir(), 'partsbus-media-'))
/** Two chunks and a part of a third, without repetition. */
const large = Buffer.concat([
  png(),
  Buffer.from(Array.from({ length: 2 * MIB + 5_000 }, (_, at) => (at * 31 + (at >> 9)) & 0xff)),
])
let host: ImageHost
let s3: TestS3
let bench: MediaBench

beforeAll(async () => {
  host = await startImageHost()
  host.on('/large.png', sendImage(large))
  s3 = await startTestS3()
})
beforeEach(() => {
  bench = new MediaBench('read_media')
})
afterEach(() => bench.close())
afterAll(async () => {
  await host.close()
  await s3.close()
  rmSync(folder, { recursive: true })
})

const drivers: Array<[string, () => Record<string, string>]> = [
  ['gridfs', () => ({})],
  ['fs', () => ({ STORAGE_DRIVER: 'fs', STORAGE_PATH: folder })],
  ['s3', () => ({ STORAGE_DRIVER: 's3', S3_PREFIX: 'shop/', ...s3.config })],
]

describe.each(drivers)('an image stored by %s', (_name, env) => {
  let media: MediaProcess
  let id: number

  beforeEach(async () => {
    media = await bench.open({}, env())
    media.start()
    await bench.product('R1')
    expect(await requestImages(media, 'R1', [`${host.url}/large.png`])).toEqual([])
    id = (await bench.mediaOf('R1'))[0]?.id ?? 0
  })

  it('is described and read in ranges of at most 1 MiB', async () => {
    expect(await media.media.describeMedia({ body: { id: id } })).toEqual({
      id,
      file_name: 'large.png',
      mime_type: 'image/png',
      size: large.length,
      sha256: createHash('sha256').update(large).digest('hex'),
      created_at: expect.any(String),
    })
    for (const [offset, length, upTo] of [
      [0, MIB, MIB],
      [0, 5 * MIB, MIB],
      [MIB, MIB, 2 * MIB],
      [2 * MIB, MIB, large.length],
      [MIB - 7, 20, MIB + 13],
      [large.length - 1, 100, large.length],
      [large.length, 1, large.length],
      [large.length + 1_000_000, 10, large.length],
      [0, 1, 1],
    ] as const) {
      const bytes = await media.media.readMedia({ body: { id, offset, length } })
      expect([offset, length, Buffer.compare(bytes, large.subarray(offset, Math.max(upTo, 0)))]).toEqual([
        offset,
        length,
        0,
      ])
    }
  })

  it('is NOT_FOUND when it does not exist', async () => {
    await expect(media.media.readMedia({ body: { id: 9_999_999, offset: 0, length: 1 } })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await expect(media.media.describeMedia({ body: { id: 9_999_999 } })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

it('bytes that a killed process left without a record are used for the same content', async () => {
  const media = await bench.open()
  media.start()
  await bench.product('R2')
  const bytes = png(77)
  const name = createHash('sha256').update(bytes).digest('hex')
  await media.files.write([{ name, bytes }])
  expect(await (await bench.db()).collection('media.chunks').distinct('_id')).toEqual([`${name}/0`])
  host.on('/left.png', sendImage(bytes))
  expect(await requestImages(media, 'R2', [`${host.url}/left.png`])).toEqual([])
  const [attached] = await bench.mediaOf('R2')
  expect(Buffer.from(await media.media.readMedia({ body: { id: attached?.id ?? 0, offset: 0, length: MIB } }))).toEqual(
    bytes,
  )
})

it('the folder has the image in subfolders named by its hash, and no temporary files', async () => {
  const paths = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const name = createHash('sha256').update(large).digest('hex')
  expect(paths).toEqual([join(folder, name.slice(0, 2), name.slice(2, 4), name)])
})

it('a driver without its variables does not start', async () => {
  await expect(bench.open({}, { STORAGE_DRIVER: 'fs' })).rejects.toThrow('STORAGE_PATH')
  await expect(bench.open({}, { STORAGE_DRIVER: 's3' })).rejects.toThrow('S3_BUCKET')
})
