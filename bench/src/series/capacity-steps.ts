import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import { startImageHost } from '@partsbus/test-kit/image-host'
import { png } from '@partsbus/test-kit/png'
import { makeProducts, makeStocks } from '../clients/catalogue.js'
import { type Erp, sendBatch } from '../clients/erp.js'
import { timedInFlight } from '../figures/measure.js'
import type { FileToSend, Partner } from '../clients/partner.js'
import { csvPieces } from '../clients/price-rows.js'

const SIZE = 1_000
const IN_FLIGHT = 2
const TASK_ROWS = 10
const TASK_LISTS = 8
const IMAGE_BYTES = 50_000
const IMAGES_A_CALL = 50
const IMAGES_WITHIN_MS = 60_000
/** Products with images, apart from the others. */
const FIRST_WITH_IMAGE = 5_000_000

export interface GrowthStep {
  what: string
  /** Items added by each step, so that the total doubles. */
  counts: number[]
  /** @param total items that are stored already */
  add(total: number, count: number): Promise<unknown>
}

export async function makeGrowthSteps(
  erp: Erp,
  partner: Partner,
): Promise<{ list: GrowthStep[]; close(): Promise<void> }> {
  const images = await startImageHost()
  await partner.admin('PATCH /settings', { body: { media_allowed_hosts: ['127.0.0.1'], media_wait_ms: 0 } })
  const storageId = await partner.createStorage({ kind: 'price-list' })
  const lists = await Promise.all(Array.from({ length: TASK_LISTS }, () => partner.createList(storageId)))
  const small = csvFile(TASK_ROWS)
  const batches = (path: string, make: (first: number) => unknown[]) => (total: number, count: number) =>
    timedInFlight(
      Array.from({ length: count / SIZE }, (_, at) => total + at * SIZE),
      IN_FLIGHT,
      (first) => sendBatch(erp, path, JSON.stringify(make(first))),
    )
  const withImages = async (first: number, count: number): Promise<void> => {
    const products = makeProducts(FIRST_WITH_IMAGE + first, count, 0)
    const sent = products.map((one, at) => ({
      ...one,
      images: [{ url: images.put(`/${first + at}`, image(first + at)) }],
    }))
    await sendBatch(erp, '/products/batch-upsert', JSON.stringify(sent))
    const ids_erp = products.map(({ id_erp }) => id_erp)
    const isDone = async (): Promise<boolean> => {
      const answer = JSON.parse((await erp.post('/products/status', JSON.stringify({ ids_erp }))).body) as {
        products: Array<{ images: { done: number } }>
      }
      return answer.products.every((one) => one.images.done === 1)
    }
    if (!(await waitUntil(isDone, { withinMs: IMAGES_WITHIN_MS, everyMs: 200 })))
      throw new Error('Images were not downloaded in time')
  }
  return {
    list: [
      {
        what: 'product',
        counts: [10_000, 10_000, 20_000],
        add: batches('/products/batch-upsert', (first) => makeProducts(first, SIZE, 0)),
      },
      {
        what: 'stock of a product',
        counts: [10_000, 10_000, 20_000],
        add: batches('/stocks/batch-update', (first) => makeStocks(first, SIZE, 0)),
      },
      {
        what: 'product, changed once',
        counts: [10_000, 10_000, 20_000],
        add: batches('/products/batch-upsert', (first) => makeProducts(first, SIZE, 1)),
      },
      {
        what: 'offer',
        counts: [25_000, 25_000, 50_000],
        add: async (_, count) => importFile(partner, await partner.createList(storageId), csvFile(count)),
      },
      {
        what: `import of ${TASK_ROWS} rows`,
        counts: [100, 100, 200],
        add: (total, count) =>
          timedInFlight(
            Array.from({ length: count }, (_, at) => total + at),
            IN_FLIGHT,
            (turn) => importFile(partner, lists[turn % TASK_LISTS] ?? 0, small),
          ),
      },
      {
        what: `product with an image of ${IMAGE_BYTES / 1_000} kB`,
        counts: [100, 100, 200],
        add: (total, count) =>
          timedInFlight(
            Array.from({ length: count / IMAGES_A_CALL }, (_, at) => total + at * IMAGES_A_CALL),
            IN_FLIGHT,
            (first) => withImages(first, IMAGES_A_CALL),
          ),
      },
    ],
    close: () => images.close(),
  }
}

function csvFile(rows: number): FileToSend {
  const bytes = Buffer.from([...csvPieces(rows)].join(''))
  return { name: 'list.csv', size: bytes.length, open: () => Readable.from([bytes]) }
}

async function importFile(partner: Partner, listId: number, file: FileToSend): Promise<void> {
  await partner.follow(await partner.upload(listId, file))
}

/** A small image with bytes after its end that no compression shortens. */
function image(seed: number): Buffer {
  const start = png(seed % 250, 64, 64)
  return Buffer.concat([start, randomBytes(IMAGE_BYTES - start.length)])
}
