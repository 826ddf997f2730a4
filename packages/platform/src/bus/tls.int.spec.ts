import { createServer } from 'node:tls'
import { connect as connectSocket } from 'node:net'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type NatsServer, startNats } from '@partsbus/local-stack/start-nats'
import { proxiedMongodbUrl, testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { makeCertificate } from '@partsbus/test-kit/make-certificate'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { openMongo } from '../mongo/connection.js'
import { createLog } from '../process/log.js'
import { connectBus, openBus } from './connection.js'

const log = createLog('test', 'silent')
const { cert, key } = makeCertificate()
const stranger = makeCertificate().cert
const folder = mkdtempSync(join(tmpdir(), 'partsbus-tls-'))
const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
writeFileSync(certFile, cert)
writeFileSync(keyFile, key)
afterAll(() => rmSync(folder, { recursive: true }))

describe('the connection to a bus with TLS', () => {
  let encrypted: NatsServer
  let plain: NatsServer
  beforeAll(async () => {
    encrypted = await startNats({ config: `tls { cert_file: "${certFile}", key_file: "${keyFile}" }` })
    plain = await startNats()
  })
  afterAll(() => Promise.all([encrypted.stop(), plain.stop()]))
  const url = ({ port }: NatsServer, scheme = 'tls') => `${scheme}://127.0.0.1:${port}`

  it('is encrypted, with the certificate authority of NATS_CA', async () => {
    const bus = await connectBus({ url: url(encrypted), ca: cert, name: 'test', log })
    expect(bus.nc.info?.tls_required).toBe(true)
    const inbox = bus.nc.subscribe('test.tls', { max: 1 })
    bus.nc.publish('test.tls', 'over TLS')
    for await (const message of inbox) expect(message.string()).toBe('over TLS')
    await bus.close()
  })

  it.each([
    ['whose certificate is of another authority', () => url(encrypted), stranger],
    ['whose certificate is of no known authority', () => url(encrypted), undefined],
    ['that offers no TLS, where the URL asks for it', () => url(plain), cert],
  ])('is not made to a server %s', async (_what, server, ca) => {
    const bus = openBus({ url: server(), ca, waitsForServer: false, name: 'test', log })
    await expect(bus.reached).rejects.toThrow()
    expect(bus.isUp()).toBe(false)
    await bus.close()
  })
})

describe('the connection to a database with TLS', () => {
  it('is encrypted by the options of the URL, and refuses a certificate of another authority', async () => {
    const target = new URL(testMongodbUrl())
    let handshakes = 0
    const front = createServer({ cert, key }, (socket) => {
      handshakes += 1
      const upstream = connectSocket(Number(target.port), target.hostname)
      for (const end of [socket, upstream]) end.on('error', () => end.destroy())
      socket.pipe(upstream).pipe(socket)
    }).listen(0, '127.0.0.1')
    front.on('tlsClientError', (_error, socket) => socket.destroy())
    await once(front, 'listening')
    const { port } = front.address() as AddressInfo
    const open = (caFile: string) =>
      openMongo({
        url: `${proxiedMongodbUrl(port)}&tls=true&tlsCAFile=${encodeURIComponent(caFile)}`,
        database: 'test_tls',
        poolSize: 1,
        appName: 'test',
        log,
      })
    const mongo = open(certFile)
    await waitFor(() => mongo.ping(), Boolean, 10_000)
    expect(handshakes).toBeGreaterThan(0)
    await mongo.close()
    const before = handshakes
    const otherFile = join(folder, 'other.pem')
    writeFileSync(otherFile, stranger)
    const refused = open(otherFile)
    expect(await refused.ping()).toBe(false)
    expect(handshakes).toBe(before)
    await refused.close()
    front.close()
  })
})
