import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { proxiedMongodbUrl, testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import { createLog } from '../process/log.js'
import { type Mongo, openMongo } from './connection.js'

/** The parts of the driver that a stalled monitor consists of; mongodb 7.8.0. */
interface DriverTopology {
  s: { servers: Map<string, { monitor: { monitorId: { stop(): void } } }> }
}

/** Passes connections on to the database of the test run; `cut` ends them all. */
class Proxy {
  readonly server: Server
  private readonly sockets = new Set<Socket>()

  constructor(target: { host: string; port: number }) {
    this.server = createServer((client) => {
      const database = connect(target)
      for (const socket of [client, database]) {
        this.sockets.add(socket)
        socket.on('error', () => socket.destroy())
        socket.on('close', () => this.sockets.delete(socket))
      }
      client.pipe(database).pipe(client)
    })
  }

  listen(port = 0): Promise<number> {
    return new Promise((done) => {
      this.server.listen(port, '127.0.0.1', () => done((this.server.address() as AddressInfo).port))
    })
  }

  cut(): void {
    for (const socket of this.sockets) socket.destroy()
  }
}

let proxy: Proxy
let mongo: Mongo

beforeAll(async () => {
  const { hostname, port } = new URL(testMongodbUrl())
  proxy = new Proxy({ host: hostname, port: Number(port) })
  mongo = openMongo({
    url: proxiedMongodbUrl(await proxy.listen()),
    database: 'test_monitor_watchdog',
    poolSize: 5,
    appName: 'test',
    log: createLog('test', 'silent'),
  })
  await mongo.client.connect()
})
afterAll(async () => {
  await mongo?.close()
  proxy?.cut()
  await new Promise((done) => proxy.server.close(done))
})

it('a service is back within 5 s although the monitor of the driver has stopped (promises.md#promise-5)', async () => {
  expect(await mongo.ping()).toBe(true)
  const { topology } = mongo.client as unknown as { topology: DriverTopology }
  for (const { monitor } of topology.s.servers.values()) monitor.monitorId.stop()
  const lost = mongo.db
    .collection('items')
    .findOne({})
    .then(
      () => undefined,
      () => undefined,
    )
  proxy.cut()
  await lost
  // the lost connection makes the driver mark the server as unknown
  await waitUntil(async () => mongo.unavailable() !== undefined || !(await mongo.ping()), { withinMs: 3_000 })
  expect(
    await waitUntil(async () => mongo.unavailable() === undefined && (await mongo.ping()), { withinMs: 5_000 }),
  ).toBe(true)
})
