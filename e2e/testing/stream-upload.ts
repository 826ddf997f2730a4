import { request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { PartnerShop } from './partner-shop.js'

const BOUNDARY = 'form-of-a-partner'

/** An upload whose file is made while it is sent. @returns the status and the parsed response */
export async function streamUpload(
  shop: PartnerShop,
  listId: number,
  file: { bytes: number; blocks: () => Iterable<Buffer> },
): Promise<{ status: number; body: { task_id: number } }> {
  const head = Buffer.from(
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="id"\r\n\r\n${listId}\r\n` +
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="document"; filename="price.csv"\r\n\r\n`,
  )
  const tail = Buffer.from(`\r\n--${BOUNDARY}--\r\n`)
  const outgoing = request(`${shop.product.url}/api/b2b/upload-price-list`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${shop.partnerToken}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': head.length + file.bytes + tail.length,
    },
  })
  const answered = new Promise<{ status: number; body: { task_id: number } }>((resolve, reject) => {
    outgoing.once('error', reject).once('response', (response) => {
      const parts: Buffer[] = []
      response
        .on('data', (part: Buffer) => parts.push(part))
        .once('error', reject)
        .once('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            body: JSON.parse(Buffer.concat(parts).toString()) as { task_id: number },
          }),
        )
    })
  })
  const blocks = function* () {
    yield head
    yield* file.blocks()
    yield tail
  }
  await Promise.all([pipeline(Readable.from(blocks()), outgoing), answered])
  return answered
}
