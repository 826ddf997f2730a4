import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { gate, type ImageHost, sendImage, startImageHost } from '@partsbus/test-kit/image-host'
import { png } from '@partsbus/test-kit/png'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { MediaBench, type MediaProcess, requestImages } from './testing/media-bench.js'

const slowImage = gate(sendImage(png(1)))

let bench: MediaBench
let slow: ImageHost
let fast: ImageHost

beforeAll(async () => {
  slow = await startImageHost(slowImage)
  fast = await startImageHost(sendImage(png(2)))
})
beforeEach(() => {
  bench = new MediaBench('media_host_shares')
})
afterEach(() => bench.close())
afterAll(() => Promise.all([slow.close(), fast.close()]))

/** Requests one image for each of this many products. */
async function requestMany(media: MediaProcess, host: ImageHost, name: string, count: number): Promise<void> {
  const requests = Array.from({ length: count }, (_, at) => ({
    item: 'product' as const,
    erp_id: `${name}${at}`,
    item_rev: 1,
    images: [{ url: `${host.url}/${name}${at}.png` }],
  }))
  await media.requests.request(requests, { receivedAt: new Date(), allowedHosts: ['127.0.0.1'], waitMs: 0 })
}

const countSets = async (filter: object): Promise<number> => (await bench.sets()).countDocuments(filter)

describe('hosts of images (rules.md#overload)', () => {
  it('a slow host with 700 images holds up no image of another host, nor loses one', async () => {
    const media = await bench.open({ times: { leaseMs: 60_000, graceMs: 60_000 } }, { MEDIA_DOWNLOADS: '64' })
    media.start()
    await requestMany(media, slow, 'S', 700)
    await waitFor(
      () => countSets({ owner: { $ne: '' } }),
      (claimed) => claimed >= 400,
    )
    await bench.product('F')
    await requestImages(media, 'F', [`${fast.url}/f.png`], { waitMs: 5_000 })
    expect(await bench.namesOf('F')).toEqual(['f.png'])
    expect(await countSets({ owner: { $ne: '' } })).toBeLessThan(500)
    slowImage.open()
    // although the sweep leaves sets to their nudges for a minute
    await waitFor(
      () => countSets({ settled: true }),
      (settled) => settled === 701,
    )
  })
})
