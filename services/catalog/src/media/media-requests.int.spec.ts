import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { gate, type ImageHost, sendImage, startImageHost } from '@partsbus/test-kit/image-host'
import { MediaBench, type MediaProcess, requestImages } from './testing/media-bench.js'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { png } from '@partsbus/test-kit/png'

const bench = new MediaBench('request_media')
let host: ImageHost
let media: MediaProcess

beforeAll(async () => {
  host = await startImageHost()
  media = await bench.open()
  media.start()
})

afterAll(async () => {
  await bench.close()
  await host.close()
})

describe('the images of an item', () => {
  it('are attached in the order sent, with sort_order and is_main (erp.md#products-9)', async () => {
    await bench.product('P1')
    host.on('/a.png', sendImage(png(1, 3, 2)))
    host.on('/b.png', sendImage(png(2)))
    expect(await requestImages(media, 'P1', [`${host.url}/b.png`, `${host.url}/a.png`])).toEqual([])
    const attached = await bench.mediaOf('P1')
    expect(attached).toEqual([
      expect.objectContaining({ file_name: 'b.png', sort_order: 0, is_main: true }),
      {
        id: expect.any(Number),
        file_name: 'a.png',
        mime_type: 'image/png',
        size: png(1, 3, 2).length,
        width: 3,
        height: 2,
        sort_order: 1,
        is_main: false,
      },
    ])
    const product = await (await bench.products()).findOne({ _id: 'P1' })
    expect(product?.rev).toBe(2)
  })

  it('are replaced by those that could be fetched; the others are reported', async () => {
    await bench.product('P2')
    host.on('/good.png', sendImage(png(3)))
    expect(await requestImages(media, 'P2', [`${host.url}/missing.png`, `${host.url}/good.png`])).toEqual([
      { erp_id: 'P2', url: `${host.url}/missing.png` },
    ])
    expect(await bench.namesOf('P2')).toEqual(['good.png'])
  })

  it('stay when none of the new ones can be fetched (rules.md#images-stay)', async () => {
    await bench.product('P3')
    await requestImages(media, 'P3', [`${host.url}/good.png`])
    expect(await requestImages(media, 'P3', [`${host.url}/missing.png`])).toHaveLength(1)
    expect(await bench.namesOf('P3')).toEqual(['good.png'])
  })

  it('are cleared by an empty list, which writes nothing for an item without images', async () => {
    await bench.product('P4')
    await requestImages(media, 'P4', [`${host.url}/good.png`])
    expect(await requestImages(media, 'P4', [])).toEqual([])
    expect(await bench.mediaOf('P4')).toEqual([])
    await bench.product('P5')
    await requestImages(media, 'P5', [])
    expect(await (await bench.sets()).findOne({ _id: 'product:P5' })).toBeNull()
  })

  it('are not written when they are unchanged', async () => {
    await bench.product('P6')
    await requestImages(media, 'P6', [`${host.url}/good.png`])
    const before = await (await bench.products()).findOne({ _id: 'P6' })
    await requestImages(media, 'P6', [`${host.url}/good.png`])
    const after = await (await bench.products()).findOne({ _id: 'P6' })
    expect({ rev: after?.rev, updated_at: after?.updated_at, media: after?.media }).toEqual({
      rev: before?.rev,
      updated_at: before?.updated_at,
      media: before?.media,
    })
  })

  it('are fetched for many items of one batch', async () => {
    const ids = Array.from({ length: 120 }, (_, at) => `M${at}`)
    for (const id of ids) await bench.product(id)
    const wishes = ids.map((erp_id) => ({
      item: 'product' as const,
      erp_id,
      item_rev: 1,
      images: [{ url: `${host.url}/good.png` }],
    }))
    expect(
      await media.requests.request(wishes, { receivedAt: new Date(), allowedHosts: ['127.0.0.1'], waitMs: 20_000 }),
    ).toEqual([])
    expect(host.requests.filter((path) => path === '/good.png').length).toBeLessThan(100)
    const products = await bench.products()
    expect(await products.countDocuments({ _id: { $in: ids }, 'media.0.file_name': 'good.png' })).toBe(ids.length)
  })
})

it('a category has the image of its image_url without custom properties (erp.md#categories-7)', async () => {
  const categories = (await bench.db()).collection<{ _id: string; media: unknown[]; rev: number }>('categories')
  await categories.insertOne({ _id: 'K1', media: [], rev: 1 })
  host.on('/good.png', sendImage(png(3)))
  const withImages = (urls: string[]) => [
    { item: 'category' as const, erp_id: 'K1', item_rev: 1, images: urls.map((url) => ({ url })) },
  ]
  const options = { receivedAt: new Date(), allowedHosts: ['127.0.0.1'], waitMs: 15_000 }
  expect(await media.requests.request(withImages([`${host.url}/good.png`]), options)).toEqual([])
  expect((await categories.findOne({ _id: 'K1' }))?.media).toEqual([
    { id: expect.any(Number), file_name: 'good.png', mime_type: 'image/png', size: png(3).length, width: 2, height: 2 },
  ])
  await media.requests.request(withImages([]), options)
  expect(await categories.findOne({ _id: 'K1' })).toMatchObject({ media: [], rev: 3 })
})

it.each([
  'file:///etc/passwd',
  'ftp://127.0.0.1/a.png',
  'data:image/png;base64,AAAA',
  'javascript:alert(1)',
  `http://127.0.0.1/${'a'.repeat(3_000)}`,
  'http://u:p@127.0.0.1/a.png',
  'no url',
])('an image that cannot be fetched is reported: %s', async (url) => {
  expect(await requestImages(media, 'P1', [url])).toEqual([{ erp_id: 'P1', url: url.replace('u:p@', '***@') }])
})

describe('waiting', () => {
  it('ends after waitMs while the download continues (rules.md#images-wait)', async () => {
    await bench.product('W1')
    const slow = gate(sendImage(png(9)))
    host.on('/slow.png', slow)
    expect(await requestImages(media, 'W1', [`${host.url}/slow.png`], { waitMs: 150 })).toEqual([])
    expect(await bench.namesOf('W1')).toEqual([])
    slow.open()
    await waitFor(
      () => bench.namesOf('W1'),
      (names) => names[0] === 'slow.png',
    )
  })

  it('reports an image that failed although another one of its set is not finished', async () => {
    await bench.product('W2')
    const slow = gate(sendImage(png(10)))
    host.on('/slower.png', slow)
    const asking = requestImages(media, 'W2', [`${host.url}/missing.png`, `${host.url}/slower.png`], { waitMs: 4_000 })
    expect(await asking).toEqual([{ erp_id: 'W2', url: `${host.url}/missing.png` }])
    slow.open()
  })

  it('ends as soon as all sets are settled', async () => {
    await bench.product('W3')
    const start = performance.now()
    await requestImages(media, 'W3', [`${host.url}/good.png`], { waitMs: 30_000 })
    expect(performance.now() - start).toBeLessThan(20_000)
  })
})

describe('two requests for one item', () => {
  it('leave the images of the later one, however long the first takes (rules.md#images-latest)', async () => {
    await bench.product('T1')
    const slow = gate(sendImage(png(11)))
    host.on('/first.png', slow)
    host.on('/second.png', sendImage(png(12)))
    const first = requestImages(media, 'T1', [`${host.url}/first.png`])
    await waitFor(async () => host.requests.includes('/first.png'), Boolean)
    await requestImages(media, 'T1', [`${host.url}/second.png`])
    expect(await bench.namesOf('T1')).toEqual(['second.png'])
    slow.open()
    expect(await first).toEqual([])
    // the worker of the first request has stored its image and tried to attach it
    await waitFor(
      async () => (await bench.db()).collection('media').countDocuments({ file_name: 'first.png' }),
      (count) => count === 1,
    )
    await requestImages(media, 'T1-after', [`${host.url}/good.png`])
    expect(await bench.namesOf('T1')).toEqual(['second.png'])
  })

  it('leave the old images when those of the later one cannot be fetched', async () => {
    await bench.product('T3')
    await requestImages(media, 'T3', [`${host.url}/good.png`])
    const slow = gate(sendImage(png(13)))
    host.on('/third.png', slow)
    const first = requestImages(media, 'T3', [`${host.url}/third.png`])
    await waitFor(async () => host.requests.includes('/third.png'), Boolean)
    expect(await requestImages(media, 'T3', [`${host.url}/missing.png`])).toHaveLength(1)
    slow.open()
    await first
    await waitFor(
      async () => (await bench.db()).collection('media').countDocuments({ file_name: 'third.png' }),
      (count) => count === 1,
    )
    await requestImages(media, 'T3-after', [`${host.url}/good.png`])
    expect(await bench.namesOf('T3')).toEqual(['good.png'])
  })

  it('leave no images when the later one clears them', async () => {
    await bench.product('T2')
    const slow = gate(sendImage(png(14)))
    host.on('/fourth.png', slow)
    await requestImages(media, 'T2', [`${host.url}/fourth.png`], { waitMs: 0 })
    await requestImages(media, 'T2', [])
    slow.open()
    await requestImages(media, 'T2-after', [`${host.url}/good.png`])
    expect(await bench.mediaOf('T2')).toEqual([])
  })
})

describe('two batches of one item', () => {
  it('leave the images of the batch that wrote the item last', async () => {
    await bench.product('B1')
    host.on('/earlier.png', sendImage(png(30)))
    host.on('/later.png', sendImage(png(31)))
    await requestImages(media, 'B1', [`${host.url}/later.png`], { itemRev: 3 })
    expect(await requestImages(media, 'B1', [`${host.url}/earlier.png`], { itemRev: 2 })).toEqual([])
    expect(await bench.namesOf('B1')).toEqual(['later.png'])
    await requestImages(media, 'B1', [`${host.url}/earlier.png`], { itemRev: 3 })
    expect(await bench.namesOf('B1')).toEqual(['earlier.png'])
  })

  // rules.md#images-latest
  it('leave no images when the later one cleared them before the earlier one had requested its own', async () => {
    for (const erpId of ['B3', 'B4']) {
      await bench.product(erpId)
      // of B4 an image was cleared before: its set is there, and empty
      if (erpId === 'B4') for (const urls of [[`${host.url}/good.png`], []]) await requestImages(media, erpId, urls)
      expect(await requestImages(media, erpId, [], { itemRev: 6, isContested: true })).toEqual([])
      await requestImages(media, erpId, [`${host.url}/good.png`], { itemRev: 5 })
      expect(await bench.namesOf(erpId)).toEqual([])
      await requestImages(media, erpId, [`${host.url}/good.png`], { itemRev: 7 })
      expect(await bench.namesOf(erpId)).toEqual(['good.png'])
    }
  })

  it('that leave it as it was leave the images of the one that was received last', async () => {
    await bench.product('B5')
    const [early, late] = [new Date(Date.now() - 2_000), new Date(Date.now() - 1_000)]
    host.on('/later.png', sendImage(png(31)))
    await requestImages(media, 'B5', [`${host.url}/later.png`], { receivedAt: late })
    await requestImages(media, 'B5', [`${host.url}/good.png`], { receivedAt: early })
    expect(await bench.namesOf('B5')).toEqual(['later.png'])
    await requestImages(media, 'B5', [])
    await requestImages(media, 'B5', [`${host.url}/good.png`], { receivedAt: late })
    expect(await bench.namesOf('B5')).toEqual([])
  })

  it('create one set when they request it at the same moment', async () => {
    await bench.product('B2')
    const urls = [`${host.url}/later.png`]
    await Promise.all(Array.from({ length: 8 }, () => requestImages(media, 'B2', urls)))
    expect(await bench.namesOf('B2')).toEqual(['later.png'])
  })
})

describe('the same content', () => {
  const stored = async (): Promise<number> => (await bench.db()).collection('media').countDocuments()

  it('is stored once for two URLs', async () => {
    await bench.product('C1')
    host.on('/one.png', sendImage(png(20)))
    host.on('/two.png', sendImage(png(20)))
    await requestImages(media, 'C1', [`${host.url}/one.png`, `${host.url}/two.png`])
    const attached = await bench.mediaOf('C1')
    expect(attached[0]?.id).toBe(attached[1]?.id)
    expect(attached.map(({ sort_order }) => sort_order)).toEqual([0, 1])
  })

  it('is requested with validators and not downloaded again', async () => {
    await bench.product('C2')
    const seen: Array<string | undefined> = []
    host.on('/tagged.png', (request, response) => {
      seen.push(request.headers['if-none-match'])
      if (request.headers['if-none-match'] === '"v1"') response.writeHead(304).end()
      else sendImage(png(21), { etag: '"v1"' })(request, response)
    })
    await requestImages(media, 'C2', [`${host.url}/tagged.png`])
    const [before, count] = [await bench.mediaOf('C2'), await stored()]
    expect(await requestImages(media, 'C2', [`${host.url}/tagged.png`])).toEqual([])
    expect(seen).toEqual([undefined, '"v1"'])
    expect([await bench.mediaOf('C2'), await stored()]).toEqual([before, count])
  })

  it('is not stored again when the server has no validators; other content is', async () => {
    await bench.product('C3')
    host.on('/plain.png', sendImage(png(22)))
    await requestImages(media, 'C3', [`${host.url}/plain.png`])
    const count = await stored()
    await requestImages(media, 'C3', [`${host.url}/plain.png`])
    expect(await stored()).toBe(count)
    host.on('/plain.png', sendImage(png(23)))
    await requestImages(media, 'C3', [`${host.url}/plain.png`])
    expect(await stored()).toBe(count + 1)
  })
})

it('2,000 images of an unreachable host are given up within seconds (rules.md#images)', async () => {
  const gone = await startImageHost()
  await gone.close()
  const wishes = Array.from({ length: 2_000 }, (_, at) => ({
    item: 'product' as const,
    erp_id: `D${at}`,
    item_rev: 1,
    images: [{ url: `${gone.url}/${at}.png` }],
  }))
  const failed = await media.requests.request(wishes, {
    receivedAt: new Date(),
    allowedHosts: ['127.0.0.1'],
    waitMs: 25_000,
  })
  expect(failed).toHaveLength(2_000)
})
