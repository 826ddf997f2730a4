import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection, PermissionViolationError } from '@nats-io/transport-node'
import { eventSubjects } from '@partsbus/contracts/events'
import { currentSettings, settingsChanged } from '@partsbus/contracts/gateway/commands'
import { inFlightCallsSubject, MAX_PAYLOAD_BYTES, processSubject } from '@partsbus/contracts/message'
import { IMPORT_JOBS_SUBJECT, UPLOAD_BUCKET } from '@partsbus/contracts/pricing-import/commands'
import { busLayout, MEDIA_JOBS_SUBJECT, streams } from '@partsbus/contracts/streams'
import { resolveStorages } from '@partsbus/contracts/stock/commands'
import { ensureStream, provisionStreams } from '@partsbus/platform/bus/streams'
import { foreignCommands } from './testing/foreign-commands.js'
import { services } from './testing/checkout.js'
import { type ShippedBus, startShippedBus } from './testing/shipped-bus.js'

/** The stream of a bucket, and its subjects for chunks and for metadata. */
const uploads = {
  name: `OBJ_${UPLOAD_BUCKET.name}`,
  chunks: `$O.${UPLOAD_BUCKET.name}.C`,
  meta: `$O.${UPLOAD_BUCKET.name}.M`,
}

let bus: ShippedBus
const connections: Record<string, NatsConnection> = {}
const as = (service: string) => connections[service] as NatsConnection

beforeAll(async () => {
  bus = await startShippedBus()
  for (const user of [...services, 'provision']) connections[user] = (await bus.connectAs(user)).nc
  await provisionStreams(as('provision'), busLayout, 1)
}, 120_000)
afterAll(() => bus?.stop())

/** The operation and subject that the server refused, or undefined. */
async function refused(nc: NatsConnection, act: () => void): Promise<string | undefined> {
  const statuses = nc.status()[Symbol.asyncIterator]()
  act()
  // a refusal arrives before the answer to the ping
  await nc.flush()
  const { value } = await Promise.race([statuses.next(), nc.flush().then(() => ({ value: undefined }))])
  const error: unknown = value?.type === 'error' ? value.error : undefined
  return error instanceof PermissionViolationError ? `${error.operation} ${error.subject}` : undefined
}

describe('deploy/nats/nats.conf', () => {
  it('accepts messages as large as the contracts allow', () => {
    for (const service of services) expect(as(service).info?.max_payload).toBe(MAX_PAYLOAD_BYTES)
  })

  it('rejects connections without the right password', async () => {
    const address = as('gateway').getServer()
    const options = { servers: `nats://${address}`, maxReconnectAttempts: 0 }
    await expect(connect(options)).rejects.toThrow(/authorization/i)
    await expect(connect({ ...options, user: 'gateway', pass: 'guess' })).rejects.toThrow(/authorization/i)
  })

  it.each(services.filter((service) => service !== 'gateway'))(
    'the gateway calls %s and receives its reply',
    async (service) => {
      const subject = `${service}.things.find`
      const subscription = as(service).subscribe(subject, {
        queue: service,
        callback: (_error, message) => void message.respond(`from ${service}`),
      })
      await as(service).flush()
      expect((await as('gateway').request(subject, 'which?', { timeout: 5_000 })).string()).toBe(`from ${service}`)
      subscription.unsubscribe()
    },
  )

  it('gateways notify each other of new settings', async () => {
    const other = (await bus.connectAs('gateway')).nc
    other.subscribe(settingsChanged.subject, { callback: (_error, message) => void message.respond('read') })
    await other.flush()
    expect((await as('gateway').request(settingsChanged.subject, '{"rev":2}', { timeout: 5_000 })).string()).toBe(
      'read',
    )
  })

  it('the import reads the settings from a gateway', async () => {
    as('gateway').subscribe(currentSettings.subject, {
      queue: 'gateway',
      callback: (_error, message) => void message.respond('{}'),
    })
    await as('gateway').flush()
    expect((await as('pricing-import').request(currentSettings.subject, '{}', { timeout: 5_000 })).string()).toBe('{}')
  })

  it.each([
    ['gateway', 'gateway.other.thing'],
    ['catalog', 'gateway.settings.changed'],
    ['catalog', 'gateway.settings.get'],
    ['gateway', '_INBOX_catalog.x'],
    ['gateway', resolveStorages.subject],
    ['gateway', 'jobs.catalog.media'],
    ['gateway', '$JS.API.STREAM.DELETE.EVENTS'],
    ['gateway', '$JS.API.STREAM.CREATE.ANY'],
    ['catalog', 'stock.supplies.update'],
    ['catalog', 'catalog.products.upsert'],
    ['catalog', 'stock.supply.updated'],
    ['catalog', '$JS.API.STREAM.PURGE.EVENTS'],
    ['catalog', '_INBOX_gateway.x'],
    ['stock', 'catalog.products.upsert'],
    ['stock', 'jobs.catalog.media'],
    ['pricing-import', 'stock.supplies.update'],
    ['pricing-import', '$JS.API.STREAM.INFO.MEDIA'],
    ['supplier-search', 'stock.supplies.update'],
    ['supplier-search', '$JS.API.INFO'],
  ])('%s may not publish to %s', async (service, subject) => {
    expect(await refused(as(service), () => as(service).publish(subject))).toBe(`publish ${subject}`)
  })

  it.each([
    ['gateway', 'catalog.>'],
    ['gateway', '_INBOX_catalog.>'],
    ['catalog', 'stock.supplies.update'],
    ['catalog', 'gateway.settings.changed'],
    ['catalog', '_INBOX_gateway.>'],
    ['stock', '>'],
    ['pricing-import', 'gateway.settings.get'],
    ['pricing-import', '$O.uploads.>'],
    ['supplier-search', 'jobs.>'],
  ])('%s may not subscribe to %s', async (service, subject) => {
    expect(await refused(as(service), () => as(service).subscribe(subject))).toBe(`subscription ${subject}`)
  })

  it.each(services)('%s may send every foreign command that its code imports', async (service) => {
    const reply = `_INBOX_${service.replace('-', '_')}.x`
    for (const subject of foreignCommands(service)) {
      expect([subject, await refused(as(service), () => as(service).publish(subject, '{}', { reply }))]).toEqual([
        subject,
        undefined,
      ])
    }
  })

  it.each(services)('%s may ask the services that it calls about calls in flight', async (service) => {
    const asked = new Set(foreignCommands(service).map((subject) => subject.slice(0, subject.indexOf('.'))))
    const reply = `_INBOX_${service.replace('-', '_')}.x`
    for (const other of asked) {
      for (const subject of [inFlightCallsSubject(other), processSubject(other, 'x')]) {
        expect([subject, await refused(as(service), () => as(service).publish(subject, '{}', { reply }))]).toEqual([
          subject,
          undefined,
        ])
      }
    }
  })

  it('creates the streams again without changing their messages', async () => {
    await jetstream(as('catalog')).publish(eventSubjects[0] ?? '', '{}')
    const before = await (await jetstreamManager(as('provision'))).streams.info(streams.events.name)
    await provisionStreams(as('provision'), busLayout, 1)
    const after = await (await jetstreamManager(as('provision'))).streams.info(streams.events.name)
    expect(after.state.messages).toBe(before.state.messages)
    expect(after.config).toEqual(before.config)
  })

  it.each(
    services.flatMap((service) =>
      ['EVENTS', 'MEDIA', 'IMPORTS', uploads.name, 'ANY'].flatMap((stream) => [
        [service, `$JS.API.STREAM.CREATE.${stream}`],
        [service, `$JS.API.STREAM.UPDATE.${stream}`],
      ]),
    ),
  )('%s may not publish to %s, which would let it read every subject', async (service, subject) => {
    expect(await refused(as(service), () => as(service).publish(subject))).toBe(`publish ${subject}`)
  })

  it.each([
    ['catalog.products.upsert', 'publish'],
    ['$JS.API.STREAM.MSG.GET.EVENTS', 'publish'],
    ['$JS.API.STREAM.DELETE.EVENTS', 'publish'],
    ['catalog.>', 'subscription'],
    ['_INBOX_supplier_search.>', 'subscription'],
  ])('provision has no right to %s (%s)', async (subject, operation) => {
    const nc = as('provision')
    const act = (): unknown => (operation === 'publish' ? nc.publish(subject) : nc.subscribe(subject))
    expect(await refused(nc, () => void act())).toBe(`${operation} ${subject}`)
  })

  it('lets the owner of an event publish it to the stream', async () => {
    for (const service of ['catalog', 'stock']) await ensureStream(as(service), streams.events)
    for (const subject of eventSubjects) {
      const owner = subject.split('.')[0] ?? ''
      expect(await jetstream(as(owner)).publish(subject, '{}')).toMatchObject({ stream: 'EVENTS', duplicate: false })
    }
  })

  it.each([
    ['catalog', streams.media, MEDIA_JOBS_SUBJECT],
    ['pricing-import', streams.imports, IMPORT_JOBS_SUBJECT],
  ])('%s sends jobs to its own workers', async (service, stream, subject) => {
    const nc = as(service)
    await ensureStream(nc, stream)
    await jetstream(nc).publish(subject, 'job')
    const consumer = await jetstream(nc).consumers.get(stream.name, stream.consumers[0])
    const message = await consumer.next({ expires: 5_000 })
    expect(message?.string()).toBe('job')
    expect(await message?.ackAck()).toBe(true)
    expect((await (await jetstreamManager(nc)).streams.info(stream.name)).state.messages).toBe(0)
  })

  it('transfers an uploaded file from the gateway to the import', async () => {
    await jetstream(as('gateway')).publish(`${uploads.chunks}.file1`, Buffer.alloc(128 * 1024, 1))
    await jetstream(as('gateway')).publish(`${uploads.meta}.file1`, '{}')
    const reader = await jetstream(as('pricing-import')).consumers.get(uploads.name, {
      filter_subjects: `${uploads.chunks}.file1`,
    })
    expect((await reader.next({ expires: 5_000 }))?.data).toHaveLength(128 * 1024)
    const manager = await jetstreamManager(as('pricing-import'))
    expect(await manager.streams.purge(uploads.name, { filter: `${uploads.chunks}.file1` })).toMatchObject({
      purged: 1,
    })
  })
})
