import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { file, FORM_TYPE, formBody } from '@partsbus/test-kit/form'
import { ended, openPartnerShop, type PartnerList, type PartnerShop } from './testing/partner-shop.js'
import { expectStatus } from './testing/shop.js'
import { streamUpload } from './testing/stream-upload.js'
import { watch } from './testing/vital-signs.js'

jest.setTimeout(240_000)

const ROWS = 200_000
/** What the buffers of a response may add to the gateway, and a thread with its library to the service that writes. */
const GROWTH_MIB = { gateway: 64, 'pricing-import': 160 }

function listFile() {
  const head = Buffer.from('Бренд;Артикул;Название;Количество;Цена\n')
  const block = (from: number) =>
    Buffer.from(
      Array.from({ length: 10_000 }, (_, at) => `KYB;00${from + at};Амортизатор ${from + at};5;${from + at}.50\n`).join(
        '',
      ),
    )
  const blocks = Array.from({ length: ROWS / 10_000 }, (_, at) => block(at * 10_000 + 1))
  return { bytes: head.length + blocks.reduce((sum, { length }) => sum + length, 0), blocks: () => [head, ...blocks] }
}

describe('exports of a large list (admin.md#offer-files)', () => {
  let shop: PartnerShop
  let list: PartnerList

  beforeAll(async () => {
    shop = await openPartnerShop()
    list = await shop.newList('Exported')
    const { body } = await streamUpload(shop, list.id, listFile())
    const [task] = await ended(shop, [body.task_id], 120_000)
    expect(task).toMatchObject({ status: 'completed', imported_rows: ROWS })
  }, 300_000)
  afterAll(() => shop?.stop())

  it.each(['csv', 'xlsx'])('have all rows, with memory that does not depend on them (%s)', async (format) => {
    const startedAt = performance.now()
    let bytes = 0
    const { growth, p99 } = await watch(shop, Object.keys(GROWTH_MIB), async () => {
      const response = await fetch(`${shop.product.url}/api/admin/price-lists/${list.id}/offers.${format}`, {
        headers: { authorization: `Bearer ${shop.product.adminToken}` },
      })
      expect(response.status).toBe(200)
      // a connection that is closed before the end is an error here
      for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).length
    })
    process.stderr.write(
      `${ROWS} offers as ${format}: ${Math.round(performance.now() - startedAt)} ms, ${bytes} bytes, ` +
        `${JSON.stringify(growth)} MiB more, ping p99 ${Math.round(p99)} ms\n`,
    )
    expect(bytes).toBeGreaterThan(ROWS * 20)
    for (const [name, most] of Object.entries(GROWTH_MIB)) expect(growth[name]).toBeLessThan(most)
  })

  it('can be imported again', async () => {
    const { bytes } = await shop.admin.get(`/price-lists/${list.id}/offers.xlsx`)
    const other = await shop.newList('Imported again')
    const { body } = await shop.admin.send<{ task_id: number }>('POST', `/price-lists/${other.id}/upload`, {
      body: formBody([file(bytes, 'offers.xlsx')]),
      headers: { 'content-type': FORM_TYPE },
    })
    expect((await ended(shop, [body.task_id], 120_000))[0]).toMatchObject({ status: 'completed', imported_rows: ROWS })
    const path = `/price-lists/${other.id}/offers?article=00${ROWS}`
    expect(expectStatus(await shop.admin.get(path), 200).body).toMatchObject({
      data: [{ article: `00${ROWS}`, quantity: 5, price: ROWS + 0.5 }],
    })
  })
})
