import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { createLog } from '../process/log.js'
import { openReplicaSet, type ReplicaSetUnderTest } from '../testing/replica-set-under-test.js'
import { type Mongo, openMongo } from './connection.js'
import { LeaseStore } from './lease-store.js'
import type { Migration } from './migration.js'
import { runMigrations } from './run-migrations.js'

const LEASE_MS = 2_000
const log = createLog('test', 'silent')

/** The way of one process to the primary. While it is cut, bytes are kept, as a network does that loses packets. */
class Way {
  private readonly server: Server
  private readonly sockets = new Set<Socket>()
  private isCut = false

  constructor(primary: { host: string; port: number }) {
    this.server = createServer((client) => {
      const database = connect(primary)
      for (const socket of [client, database]) {
        this.sockets.add(socket)
        if (this.isCut) socket.pause()
        socket.on('error', () => socket.destroy())
        socket.on('close', () => this.sockets.delete(socket))
      }
      client.on('data', (bytes) => database.write(bytes)).on('close', () => database.destroy())
      database.on('data', (bytes) => client.write(bytes)).on('close', () => client.destroy())
    })
  }

  open(): Promise<number> {
    return new Promise((done) => {
      this.server.listen(0, '127.0.0.1', () => done((this.server.address() as AddressInfo).port))
    })
  }

  cut(): void {
    this.isCut = true
    for (const socket of this.sockets) socket.pause()
  }

  heal(): void {
    this.isCut = false
    for (const socket of this.sockets) socket.resume()
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    await new Promise((done) => this.server.close(done))
  }
}

let place: ReplicaSetUnderTest
let way: Way
/** of a process that reaches the primary in this way alone */
let distant: Mongo
beforeAll(async () => {
  place = await openReplicaSet(testMongodbUrl(), 'set_partition')
  way = new Way(await place.set.primaryAddress())
  const url = place.set.directUrl(await way.open())
  distant = openMongo({ url, database: place.mongo.db.databaseName, poolSize: 5, appName: 'distant', log })
  await distant.client.connect()
})
afterAll(async () => {
  way?.heal()
  await distant?.close()
  await way?.close()
  await place?.close()
})

describe('a process that is cut off from the primary, which others reach', () => {
  it('loses its lease while another one has it, and writes nothing more when the network has healed', async () => {
    const leases = ({ db }: Mongo) => new LeaseStore(db.collection('leases'))
    const rows = ({ db }: Mongo) => db.collection<{ _id: string; by: string }>('rows')
    const options = { leaseMs: LEASE_MS, waitMs: 30_000, isRenewed: true }
    const order: string[] = []
    const first = leases(distant).withLease('one', options, async (signal) => {
      order.push('first')
      way.cut()
      await new Promise<void>((lost) => signal.addEventListener('abort', () => lost(), { once: true }))
      order.push('lost')
      signal.throwIfAborted()
      await rows(distant).insertOne({ _id: 'late', by: 'first' })
    })
    const ended = first.catch((error: { code?: string }) => error.code)
    await waitFor(
      async () => order,
      ([begun]) => begun === 'first',
    )
    await leases(place.mongo).withLease('one', options, async (signal) => {
      order.push('second')
      await waitFor(async () => order.includes('lost'), Boolean)
      way.heal()
      expect(await ended).toBe('OVERLOADED')
      // renewals that were under way arrive now, and change nothing
      expect(await distant.db.collection('leases').countDocuments()).toBe(1)
      expect(signal.aborted).toBe(false)
      await rows(place.mongo).insertOne({ _id: 'next', by: 'second' })
    })
    expect(order.filter((step) => step !== 'lost')).toEqual(['first', 'second'])
    expect((await rows(place.mongo).find().toArray()).map(({ by }) => by)).toEqual(['second'])
  })

  it('migrates nothing beside the process that has taken its migration over', async () => {
    const things = place.mongo.db.collection<{ _id: number; times: number }>('things')
    await things.insertMany(Array.from({ length: 200 }, (_, _id) => ({ _id, times: 0 })))
    let isDistantCut = false
    const migration = (isDistant: boolean): Migration => ({
      version: 2,
      name: 'counted',
      oldestCode: 1,
      run: ({ rewrite }) =>
        rewrite({
          collection: 'things',
          reads: ['times'],
          change: ({ times }) => {
            if (isDistant && !isDistantCut) {
              isDistantCut = true
              way.cut()
            }
            return times === 0 ? { $set: { times: 1 } } : undefined
          },
        }),
    })
    const options = { log, leaseMs: LEASE_MS, batchSize: 20 }
    const cutOff = runMigrations(distant.db, [migration(true)], options)
    await waitFor(async () => isDistantCut, Boolean)
    const { version } = await runMigrations(place.mongo.db, [migration(false)], options)
    expect(version).toBe(2)
    way.heal()
    // it finds that the migration is done
    expect((await cutOff).version).toBe(2)
    expect(await things.countDocuments({ times: 1 })).toBe(200)
  })
})
