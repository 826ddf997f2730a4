import { Agent } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { field, FORM_TYPE, formBody, formPartHead } from '@partsbus/test-kit/form'
import { exchangeHttp } from '@partsbus/test-kit/http-exchange'
import type { PartnerShop } from './partner-shop.js'

/** An upload whose file is made while it is sent. @returns the status and the parsed response */
export async function streamUpload(
  shop: PartnerShop,
  listId: number,
  file: { bytes: number; blocks: () => Iterable<Buffer> },
): Promise<{ status: number; body: { task_id: number } }> {
  const head = Buffer.concat([
    formBody([field('id', listId)], ''),
    formPartHead({ name: 'document', file: 'price.csv' }),
  ])
  const tail = Buffer.concat([Buffer.from('\r\n'), formBody([])])
  const blocks = function* () {
    yield head
    yield* file.blocks()
    yield tail
  }
  const agent = new Agent()
  try {
    const { status, bytes } = await exchangeHttp({
      agent,
      method: 'POST',
      url: `${shop.product.url}/api/b2b/upload-price-list`,
      headers: {
        authorization: `Bearer ${shop.partnerToken}`,
        'content-type': FORM_TYPE,
        'content-length': head.length + file.bytes + tail.length,
      },
      write: (sent, fail) => void pipeline(Readable.from(blocks()), sent).catch(fail),
    })
    return { status, body: JSON.parse(bytes.toString()) as { task_id: number } }
  } finally {
    agent.destroy()
  }
}
