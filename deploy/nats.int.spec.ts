import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection, PermissionViolationError } from '@nats-io/transport-node'
import { checkStreams } from '@partsbus/operations/doctor/check-bus'
import { diagnose } from '@partsbus/contracts/diagnosis'
import { eventSubjects } from '@partsbus/contracts/events'
import {
  administratorsChanged,
  attemptCounted,
  requestsCounted,
  settingsChanged,
} from '@partsbus/contracts/gateway/commands'
import { signInCounted } from '@partsbus/contracts/administration/commands'
import { currentSettings, currentSettingsOfGateway } from '@partsbus/contracts/administration/settings-commands'
import { inFlightCallsSubject, MAX_PAYLOAD_BYTES, processSubject, subjectOfProcess } from '@partsbus/contracts/message'
import {
  closeExport,
  IMPORT_JOBS_SUBJECT,
  readExport,
  UPLOAD_BUCKET,
} from '@partsbus/contracts/pricing-import/commands'
import { busLayout, MEDIA_JOBS_SUBJECT, streams } from '@partsbus/contracts/streams'
import { resolveStorages } from '@partsbus/contracts/stock/commands'
import { revealSupplier } from '@partsbus/contracts/stock/overview'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { ensureStream, provisionStreams } from '@partsbus/platform/bus/streams'
import { openUploadReader, openUploadWriter } from '@partsbus/upload-store/open-upload-store'
import { foreignCommands } from './testing/foreign-commands.js'
import { services } from './testing/checkout.js'
import { type ShippedBus, startShippedBus } from './testing/shipped-bus.js'

/** The stream of the bucket. */
const uploads = { name: `OBJ_${UPLOAD_BUCKET.name}` }

let bus: ShippedBus
const connections: Record<string, BusConnection> = {}
const busOf = (service: string) => connections[service] as BusConnection
const as = (service: string) => busOf(service).nc

beforeAll(async () => {
  bus = await startShippedBus()
  for (const user of [...services, 'provision']) connections[user] = await bus.connectAs(user)
  await provisionStreams(as('provision'), busLayout, 1)
})
afterAll(() => bus?.stop())

/** The operation and subject that the server refused, or undefined. */
async function refused(nc: NatsConnection, act: () => void): Promise<string | undefined> {
  const statuses = nc.status()[Symbol.asyncIterator]()
  act()
  // a refusal arrives before the answer to the ping
  await nc.flush()
  for (;;) {
    const { value } = await Promise.race([statuses.next(), nc.flush().then(() => ({ value: undefined }))])
    if (value === undefined) return undefined
    // others are those of pings
    const error: unknown = value.type === 'error' ? value.error : undefined
    if (error instanceof PermissionViolationError) return `${error.operation} ${error.subject}`
  }
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
      expect((await as('gateway').request(subject, 'which?', { timeout: 20_000 })).string()).toBe(`from ${service}`)
      subscription.unsubscribe()
    },
  )

  it.each([readExport.subject, closeExport.subject])('the gateway sends %s to one process', async (subject) => {
    const one = subjectOfProcess(subject, 'process-1')
    const subscription = as('pricing-import').subscribe(one, {
      callback: (_error, message) => void message.respond('bytes'),
    })
    await as('pricing-import').flush()
    expect((await as('gateway').request(one, '{}', { timeout: 20_000 })).string()).toBe('bytes')
    subscription.unsubscribe()
  })

  it('the administration tells gateways of new settings, which acknowledge them', async () => {
    const gateway = (await bus.connectAs('gateway')).nc
    gateway.subscribe(settingsChanged.subject, { callback: (_error, message) => void message.respond('read') })
    await gateway.flush()
    expect(
      (await as('administration').request(settingsChanged.subject, '{"rev":2}', { timeout: 20_000 })).string(),
    ).toBe('read')
  })

  it.each([
    ['administration', 'gateway', administratorsChanged.subject],
    ['administration', 'administration', signInCounted.subject],
    ['gateway', 'gateway', attemptCounted.subject],
    ['gateway', 'gateway', requestsCounted.subject],
  ])('%s notifies %s of %s', async (sender, receiver, subject) => {
    const other = (await bus.connectAs(receiver)).nc
    const received = new Promise((resolve) => {
      other.subscribe(subject, { callback: (_error, message) => resolve(message.string()) })
    })
    await other.flush()
    as(sender).publish(subject, '{}')
    expect(await received).toBe('{}')
  })

  it.each([currentSettings.subject, currentSettingsOfGateway.subject])(
    'the administration serves %s',
    async (subject) => {
      const { nc } = await bus.connectAs('administration')
      const subscription = nc.subscribe(subject, { queue: 'administration' })
      await nc.flush()
      expect(await refused(nc, () => undefined)).toBeUndefined()
      subscription.unsubscribe()
      await nc.flush()
    },
  )

  it('the import reads the settings from the administration', async () => {
    as('administration').subscribe(currentSettings.subject, {
      queue: 'administration',
      callback: (_error, message) => void message.respond('{}'),
    })
    await as('administration').flush()
    expect((await as('pricing-import').request(currentSettings.subject, '{}', { timeout: 20_000 })).string()).toBe('{}')
  })

  it.each([
    ['gateway', 'gateway.other.thing'],
    ['gateway', 'gateway.settings.changed'],
    ['catalog', 'gateway.settings.changed'],
    ['catalog', 'administration.settings.read'],
    ['stock', 'administration.settings.get'],
    ['administration', 'stock.storages.create'],
    ['administration', resolveStorages.subject],
    ['administration', '$JS.API.INFO'],
    ['gateway', '_INBOX_catalog.x'],
    ['gateway', resolveStorages.subject],
    ['gateway', revealSupplier.subject],
    ['gateway', 'jobs.catalog.media'],
    ['gateway', '$JS.API.STREAM.DELETE.EVENTS'],
    ['gateway', '$JS.API.STREAM.CREATE.ANY'],
    ['catalog', 'stock.supplies.update'],
    ['catalog', 'stock.diagnose'],
    ['catalog', 'catalog.products.upsert'],
    ['catalog', 'stock.supply.updated'],
    ['catalog', '$JS.API.STREAM.PURGE.EVENTS'],
    ['catalog', '_INBOX_gateway.x'],
    ['stock', 'catalog.products.upsert'],
    ['stock', 'jobs.catalog.media'],
    ['pricing-import', 'stock.supplies.update'],
    ['pricing-import', '$JS.API.STREAM.INFO.MEDIA'],
    // a consumer may deliver messages to any subject
    ['pricing-import', `$JS.API.CONSUMER.CREATE.${uploads.name}`],
    ['pricing-import', `$JS.API.CONSUMER.CREATE.${uploads.name}.name.$O.uploads.C.file1`],
    ['pricing-import', '$JS.API.CONSUMER.CREATE.IMPORTS.name'],
    ['catalog', '$JS.API.CONSUMER.CREATE.MEDIA.name'],
    ['gateway', `$JS.API.CONSUMER.CREATE.${uploads.name}`],
    ['supplier-search', 'stock.supplies.update'],
    ['supplier-search', subjectOfProcess(readExport.subject, 'x')],
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
    ['pricing-import', 'administration.settings.get'],
    ['gateway', 'gateway.settings.get'],
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

  it.each(services.filter((service) => service !== 'gateway'))(
    'provision asks %s what is wrong with it, and whether it is still at work',
    async (service) => {
      const { subject } = diagnose(service)
      const subscription = as(service).subscribe(subject, {
        queue: service,
        callback: (_error, message) => void message.respond('{}'),
      })
      await as(service).flush()
      expect((await as('provision').request(subject, '{}', { timeout: 20_000 })).string()).toBe('{}')
      subscription.unsubscribe()
      const nc = as('provision')
      for (const asked of [inFlightCallsSubject(service), processSubject(service, 'x')])
        expect([asked, await refused(nc, () => nc.publish(asked, '{}'))]).toEqual([asked, undefined])
    },
  )

  it('shows the command line every stream and consumer', async () => {
    const { nc } = busOf('provision')
    await provisionStreams(nc, busLayout, 1)
    expect(await checkStreams(nc, 'provision')).toEqual([])
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
    const folder = await mkdtemp(join(tmpdir(), 'partsbus-transfer-'))
    const content = randomBytes(20 * 1024 * 1024 + 5)
    async function* blocks() {
      for (let at = 0; at < content.length; at += 1024 * 1024) yield [content.subarray(at, at + 1024 * 1024)]
    }
    const name = await openUploadWriter(busOf('gateway'), undefined).put(blocks())
    await openUploadWriter(busOf('gateway'), undefined).put(blocks())
    const reader = openUploadReader(busOf('pricing-import'), undefined)
    const fetched = await reader.fetch(name, join(folder, 'file'))
    expect(fetched?.size).toBe(content.length)
    expect((await readFile(join(folder, 'file'))).equals(content)).toBe(true)
    expect(await reader.fetch('no-such-file', join(folder, 'none'))).toBeUndefined()
    reader.drop(name)
    const manager = await jetstreamManager(as('provision'))
    const isGone = await waitUntil(
      async () =>
        (await manager.streams.info(uploads.name, { subjects_filter: `$O.${UPLOAD_BUCKET.name}.C.${name}` })).state
          .subjects === undefined,
      { withinMs: 20_000 },
    )
    expect(isGone).toBe(true)
    expect(await reader.fetch(name, join(folder, 'file'))).toBeUndefined()
    await rm(folder, { recursive: true })
  })

  it('lets provision empty every stream, as a restore does', async () => {
    const { nc } = busOf('provision')
    await provisionStreams(nc, busLayout, 1)
    const manager = await jetstreamManager(nc)
    for (const name of [...busLayout.streams.map((stream) => stream.name), uploads.name]) {
      await manager.streams.purge(name)
      expect((await manager.streams.info(name)).state.messages).toBe(0)
    }
  })
})
