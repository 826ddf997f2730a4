import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { RunningProduct } from '@partsbus/local-stack/running-product'
import { connect } from '@nats-io/transport-node'
import autocannon from 'autocannon'
import { makeProducts } from '../clients/catalogue.js'
import { processorTimes, processTime } from '../meters/processes.js'

/** What one unit of a part costs at least on this machine. */
export interface Floor {
  what: string
  /** processor time of one unit, without that of the client, in ms */
  ms: number
}

const SECONDS = 3
const HOPS = 10_000
const PARSES = 50
const BATCH_BYTES = 825 * 1024

export async function measureFloors(root: string, product: RunningProduct): Promise<Floor[]> {
  const batch = Buffer.from(JSON.stringify(makeProducts(0, 1_000, 0)))
  return [
    { what: 'bare Fastify, a small request', ms: await bareFastify(root, '{"ids_erp":[]}') },
    { what: 'bare Fastify, a batch of 1,000 products received', ms: await bareFastify(root, batch.toString()) },
    ...(await bareHops(product, batch)),
    { what: 'JSON.parse of a batch of 1,000 products', ms: parse(batch) },
  ]
}

async function bareFastify(root: string, body: string): Promise<number> {
  const server = spawn(process.execPath, [join(import.meta.dirname, 'profile-bare-server.js'), root], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [first] = (await once(server.stdout, 'data')) as [Buffer]
    const load = (duration: number): Promise<{ requests: { total: number } }> =>
      autocannon({
        url: first.toString().trim(),
        connections: 4,
        duration,
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      })
    await load(1)
    const before = processTime(server.pid ?? 0)
    const { requests } = await load(SECONDS)
    return (processTime(server.pid ?? 0) - before) / requests.total
  } finally {
    server.kill()
  }
}

/** A request and its reply between two connections, as the gateway and a service have them. */
async function bareHops(product: RunningProduct, batch: Uint8Array): Promise<Floor[]> {
  const servers = product.busUrl() ?? ''
  const { username, password, host } = new URL(servers)
  const options = { servers: host, user: decodeURIComponent(username), pass: decodeURIComponent(password) }
  const [asks, answers] = await Promise.all([connect(options), connect(options)])
  const subject = `bench.hop.${process.pid}`
  answers.subscribe(subject, { callback: (_error, message) => void message.respond('{}') })
  await answers.flush()
  try {
    const floors: Floor[] = []
    for (const [what, bytes, hops] of [
      ['small', Buffer.from('{"ids_erp":[]}'), HOPS],
      [`of ${BATCH_BYTES / 1024} KiB`, batch, HOPS / 50],
    ] as const) {
      await hop(bytes, hops / 4)
      const before = [processorTimes(product).get('nats') ?? 0, ownTime()]
      await hop(bytes, hops)
      const after = [processorTimes(product).get('nats') ?? 0, ownTime()]
      const [server = NaN, ends = NaN] = after.map((ms, at) => (ms - (before[at] ?? NaN)) / hops)
      floors.push({ what: `bare hop on the bus, ${what}: its server`, ms: server })
      floors.push({ what: `bare hop on the bus, ${what}: both ends together`, ms: ends })
    }
    return floors
  } finally {
    await Promise.all([asks.close(), answers.close()])
  }

  async function hop(bytes: Uint8Array, count: number): Promise<void> {
    let left = count
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        while ((left -= 1) >= 0) await asks.request(subject, bytes, { timeout: 10_000 })
      }),
    )
  }
}

function parse(batch: Buffer): number {
  for (let turn = 0; turn < PARSES; turn += 1) JSON.parse(batch.toString('utf8'))
  const before = ownTime()
  for (let turn = 0; turn < PARSES; turn += 1) JSON.parse(batch.toString('utf8'))
  return (ownTime() - before) / PARSES
}

/** Processor time of this process so far, in ms. */
export function ownTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
