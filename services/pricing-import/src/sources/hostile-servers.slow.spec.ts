import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import type { PriceListSource } from '@partsbus/contracts/pricing-import/price-list-source'
import { getPriceList, runSource } from '@partsbus/contracts/pricing-import/commands'
import { type PricingUnderTest, preparePricing } from '../testing/pricing-under-test.js'
import { ServiceProcess } from '../testing/service-process.js'

// the service is a process of its own: a socket's error is an Error of this process only outside the test's sandbox

let pricing: PricingUnderTest
let service: ServiceProcess
const servers: Server[] = []

beforeAll(async () => {
  pricing = await preparePricing({ SOURCE_ALLOWED_HOSTS: ['127.0.0.1'] })
  service = new ServiceProcess(pricing)
})
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})
afterAll(async () => {
  await service.end('SIGTERM')
  await pricing.stop()
})

/** @returns the port of a server that does this with each request */
async function listen(serve: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => serve(socket))
  })
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
}

async function newSource(source: object): Promise<{ id: number; source_id: number }> {
  const list = await pricing.until(() =>
    pricing.newList({ sources: [{ is_active: false, ...source } as PriceListSource] }).catch(() => undefined),
  )
  return { id: list.id, source_id: 1 }
}
const lastRun = async ({ id }: { id: number }) => (await pricing.ask(getPriceList, { id })).sources[0]?.last_run

describe('the server of a source', () => {
  it('may close its connections while the body is being written to disk', async () => {
    const body = Buffer.from(`Бренд;Артикул;Количество;Текст\n${`A;CLOSE-1;5;${'x'.repeat(1_000)}\n`.repeat(3_000)}`)
    const head = Buffer.from(`HTTP/1.0 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`)
    const port = await listen((socket) => socket.end(Buffer.concat([head, body])))
    const at = await newSource({ kind: 'url', url: `http://127.0.0.1:${port}/price.csv` })
    expect(await pricing.ask(runSource, at)).toMatchObject({ task_id: expect.any(Number) })
    for (let count = 1; count < 10; count += 1)
      expect(await pricing.ask(runSource, at)).toMatchObject({
        message: 'The file has not changed since it was imported.',
      })
    expect(service.hasEnded).toBe(false)
    expect(await lastRun(at)).toMatchObject({ outcome: 'unchanged' })
  })

  it.each([
    ['url', (port: number) => ({ kind: 'url', url: `http://127.0.0.1:${port}/price.csv` })],
    ['ftp', (port: number) => ({ kind: 'ftp', host: '127.0.0.1', port })],
    ['email', (port: number) => ({ kind: 'email', host: '127.0.0.1', port })],
  ])('may reset the connection: the run is recorded as failed (%s)', async (_kind, source) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      setImmediate(() => socket.resetAndDestroy())
    })
    servers.push(server)
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const at = await newSource(source((server.address() as AddressInfo).port))
    const message = expect.stringMatching(/^The host cannot be reached/)
    expect(await pricing.ask(runSource, at)).toEqual({ task_id: null, message })
    expect(await lastRun(at)).toMatchObject({ outcome: 'failed', message, task_id: null })
  })

  it('may be fetched by a process that dies: the next process records the run as failed', async () => {
    let isAsked = false
    const port = await listen(() => {
      isAsked = true
    })
    const at = await newSource({ kind: 'url', url: `http://127.0.0.1:${port}/price.csv`, is_active: true })
    pricing.ask(runSource, at).catch(() => undefined)
    expect(await waitUntil(() => isAsked, { withinMs: 20_000 })).toBe(true)
    await service.end('SIGKILL')
    await pricing.db
      .collection<{ _id: string }>('leases')
      .updateOne({ _id: `source:${at.id}:1` }, { $set: { until: new Date(0) } })
    service = new ServiceProcess(pricing)
    const run = await pricing.until(() =>
      lastRun(at).then(
        (found) => found ?? undefined,
        () => undefined,
      ),
    )
    expect(run).toMatchObject({
      outcome: 'failed',
      message: 'The fetch was interrupted: the service or its database went down while it ran.',
    })
  })
})
