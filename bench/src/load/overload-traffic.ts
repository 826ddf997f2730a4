import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningProduct } from '@partsbus/local-stack/running-product'
import { png } from '@partsbus/test-kit/png'
import { makeProducts, makeStocks } from '../clients/catalogue.js'
import { type Erp, sendBatch } from '../clients/erp.js'
import type { Partner } from '../clients/partner.js'

/** One request of the mix. */
export interface TrafficRequest {
  kind: 'products' | 'stocks' | 'search' | 'status' | 'read' | 'import' | 'image'
  method: 'GET' | 'POST'
  path: string
  token: string
  mediaType: string
  body: string
}

export interface Outcome {
  kind: TrafficRequest['kind']
  /** 0 when the connection broke */
  status: number
  retryAfter: boolean
  /** from the first byte sent to the last byte received */
  ms: number
  body: string
}

/** The products, lists and tasks that the requests refer to. */
export interface TrafficTargets {
  erp: Erp
  partner: Partner
  adminToken: string
  listIds: number[]
  taskId: number
  imagePath: string
}

const BATCH = 20
const PRODUCTS = 4_000
const FIRST = 6_000_000
const BOUNDARY = 'bench-overload-boundary'
const SMALL_ROWS = 10
/** Of 100 requests, one is an import: two a second where there are 200 requests a second. */
const MIX: ReadonlyArray<readonly [TrafficRequest['kind'], number]> = [
  ['products', 30],
  ['stocks', 30],
  ['search', 15],
  ['status', 12],
  ['read', 12],
  ['import', 1],
]
const ORDER = interleave(MIX)
/** The same mix without imports, for loads that send those at a rate of their own. */
export const NO_IMPORTS = ORDER.filter((kind) => kind !== 'import')

/** Deadlines of the gateway's calls, in ms: an answer that comes later is worth nothing. */
export const DEADLINE_MS: Record<TrafficRequest['kind'], number> = {
  products: 30_000,
  stocks: 30_000,
  search: 12_000,
  status: 5_000,
  read: 10_000,
  import: 60_000,
  image: 30_000,
}

/** Spreads the kinds evenly, so that any stretch of the sequence has the same mix. */
function interleave(mix: typeof MIX): Array<TrafficRequest['kind']> {
  const at = mix.flatMap(([kind, count], index) =>
    Array.from({ length: count }, (_, turn) => ({ kind, position: (turn + (index + 1) / 7) / count })),
  )
  return at.sort((one, other) => one.position - other.position).map(({ kind }) => kind)
}

/** An endless sequence of requests with the mix of a shop: most are batches of the ERP. */
export function trafficSource(targets: TrafficTargets, order: ReadonlyArray<TrafficRequest['kind']> = ORDER) {
  let turn = 0
  return (): TrafficRequest => {
    turn += 1
    return makeRequest(order[turn % order.length] ?? 'read', turn, targets)
  }
}

export function makeRequest(kind: TrafficRequest['kind'], turn: number, targets: TrafficTargets): TrafficRequest {
  const { erp, partner, adminToken, listIds, taskId, imagePath } = targets
  const first = FIRST + ((turn * BATCH) % PRODUCTS)
  const json = { kind, method: 'POST', mediaType: 'application/json' } as const
  switch (kind) {
    case 'products':
      return {
        ...json,
        path: '/api/erp/products/batch-upsert',
        token: erp.token,
        body: JSON.stringify(makeProducts(first, BATCH, turn)),
      }
    case 'stocks':
      return {
        ...json,
        path: '/api/erp/stocks/batch-update',
        token: erp.token,
        body: JSON.stringify(makeStocks(first, BATCH, turn)),
      }
    case 'search':
      return {
        ...json,
        path: '/api/b2b/get-parts',
        token: partner.token,
        body: JSON.stringify({ article: `O-${turn}`, brands: ['BOSCH'] }),
      }
    case 'status':
      return {
        ...json,
        path: '/api/b2b/get-price-list-status',
        token: partner.token,
        body: JSON.stringify({ task_id: taskId }),
      }
    case 'read':
      return {
        ...json,
        method: 'GET',
        path: `/api/admin/products/by-erp-id/bench-${first}`,
        token: adminToken,
        body: '',
      }
    case 'import':
      return {
        ...json,
        path: '/api/b2b/upload-price-list',
        token: partner.token,
        mediaType: `multipart/form-data; boundary=${BOUNDARY}`,
        body: smallForm(listIds[turn % listIds.length] ?? 0, turn),
      }
    case 'image':
      return { ...json, method: 'GET', path: imagePath, token: '', body: '' }
  }
}

function smallForm(listId: number, turn: number): string {
  const rows = Array.from({ length: SMALL_ROWS }, (_, row) => `BOSCH;A-${turn}-${row};${row + 1};${100 + row}`)
  return [
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="id"\r\n\r\n${listId}`,
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="document"; filename="small.csv"\r\n\r\n` +
      `${['brand;article;quantity;price', ...rows].join('\n')}\n`,
    `--${BOUNDARY}--\r\n`,
  ].join('\r\n')
}

/** Creates what the requests refer to: a supplier, 4,000 products, 20 price lists, a finished import, an image. */
export async function prepareTargets(
  product: RunningProduct,
  erp: Erp,
  partner: Partner,
  supplierUrl: string,
): Promise<TrafficTargets> {
  const asked = await partner.createStorage({
    kind: 'http',
    base_url: supplierUrl,
    timeout_ms: 2_000,
    cache_seconds: 3_600,
    dialect: 'standard',
  })
  for (let first = FIRST; first < FIRST + PRODUCTS; first += 500)
    await sendBatch(erp, '/products/batch-upsert', JSON.stringify(makeProducts(first, 500, 0)))
  const storageId = await partner.createStorage({ kind: 'price-list' })
  const listIds: number[] = []
  for (let count = 0; count < 20; count += 1) listIds.push(await partner.createList(storageId))
  const imagePath = await storeImage(erp, partner)
  const targets = { erp, partner, adminToken: product.adminToken, listIds, taskId: 0, imagePath }
  const client = new TrafficClient(gatewayUrls(product))
  const { status, body } = await client.send(makeRequest('import', 0, targets))
  client.close()
  if (status !== 200) throw new Error(`the upload was answered ${status}: ${body.slice(0, 300)}`)
  const { task_id } = JSON.parse(body) as { task_id: number }
  await partner.follow(task_id)
  await partner.admin('PATCH /settings', { body: { storages_for_crosses: [asked] } })
  return { ...targets, taskId: task_id }
}

/** @returns the path of an image of 64 KB */
async function storeImage(erp: Erp, partner: Partner): Promise<string> {
  const bytes = Buffer.concat([png(1, 64, 64), Buffer.alloc(64 * 1024)])
  const host = createServer((_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(bytes))
  await new Promise<void>((done) => host.listen(0, '127.0.0.1', done))
  try {
    await partner.admin('PATCH /settings', { body: { media_allowed_hosts: ['127.0.0.1'] } })
    const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}/image.png`
    const [first] = makeProducts(FIRST, 1, 0)
    await sendBatch(erp, '/products/batch-upsert', JSON.stringify([{ ...first, images: [{ url }] }]))
    const { media } = await partner.admin('GET /products/by-erp-id/*', { params: { erp_id: first?.id_erp ?? '' } })
    return new URL(media[0]?.url ?? '').pathname
  } finally {
    host.close()
    host.closeAllConnections()
  }
}

export function gatewayUrls(product: RunningProduct): string[] {
  return product.processes('gateway').map(({ port }) => `http://127.0.0.1:${port}`)
}

/** Sends requests to all gateways in turn, on as many keep-alive connections as are needed at once. */
export class TrafficClient {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: 1_024 })
  private turn = 0

  constructor(private readonly urls: string[]) {}

  send({ kind, method, path, token, mediaType, body }: TrafficRequest): Promise<Outcome> {
    const url = this.urls[(this.turn += 1) % this.urls.length] ?? ''
    const length = Buffer.byteLength(body)
    const startedAt = performance.now()
    return new Promise((resolve) => {
      const end = (status: number, retryAfter: boolean, text: string): void =>
        resolve({ kind, status, retryAfter, ms: performance.now() - startedAt, body: text })
      const sent = request(
        url + path,
        {
          method,
          agent: this.agent,
          headers: {
            ...(token !== '' && { authorization: `Bearer ${token}` }),
            ...(length > 0 && { 'content-type': mediaType, 'content-length': length }),
          },
        },
        (response) => {
          const parts: Buffer[] = []
          response.on('data', (part: Buffer) => kind !== 'image' && parts.push(part))
          response.on('error', () => end(0, false, ''))
          response.on('end', () =>
            end(
              response.statusCode ?? 0,
              response.headers['retry-after'] !== undefined,
              Buffer.concat(parts).toString('utf8'),
            ),
          )
        },
      )
      sent.on('error', (error) => end(0, false, String(error)))
      sent.end(body)
    })
  }

  close(): void {
    this.agent.destroy()
  }
}

/** `width` requests in flight at all times for so long. */
export async function closedLoop(
  client: TrafficClient,
  next: () => TrafficRequest,
  width: number,
  ms: number,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const end = performance.now() + ms
  const worker = async (): Promise<void> => {
    while (performance.now() < end) outcomes.push(await client.send(next()))
  }
  await Promise.all(Array.from({ length: width }, worker))
  return outcomes
}

/**
 * Sends requests at a fixed rate, whether or not they are answered; then waits for the last answer.
 * @returns outcomes, and how much later than due each request was sent, in ms
 */
export async function openLoop(
  client: TrafficClient,
  next: () => TrafficRequest,
  perSecond: number,
  ms: number,
): Promise<Array<Outcome & { lateMs: number }>> {
  const outcomes: Array<Promise<Outcome & { lateMs: number }>> = []
  const start = performance.now()
  for (let due = 0; due < ms; due = (outcomes.length * 1_000) / perSecond) {
    const wait = start + due - performance.now()
    if (wait > 0) await sleep(wait)
    const lateMs = Math.max(0, performance.now() - start - due)
    outcomes.push(client.send(next()).then((outcome) => ({ ...outcome, lateMs })))
  }
  return Promise.all(outcomes)
}
