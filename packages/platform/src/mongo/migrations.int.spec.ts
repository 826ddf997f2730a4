import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import { Collection, type Db, type Document, MongoNetworkError } from 'mongodb'
import { createLog } from '../process/log.js'
import { type Mongo, openMongo } from './connection.js'
import type { Migration, Rewrite } from './migration.js'
import { RESTORES, type RestoreMark } from './restore-mark.js'
import { rewriteCollection, type RewriteProgress } from './rewrite-collection.js'
import { NewerSchema, runMigrations } from './run-migrations.js'

const log = createLog('test', 'silent')
const DOCUMENTS = 45
const BATCH = 10
const WITHIN = { withinMs: 60_000 }

interface Thing {
  _id: number
  amount?: unknown
  color?: string
}

let mongo: Mongo
let things: Collection<Thing>
let versions: Collection<Document>
const databases: Db[] = []

beforeAll(async () => {
  mongo = openMongo({ url: testMongodbUrl(), database: 'unused', poolSize: 20, appName: 'test', log })
  await mongo.client.connect()
})
afterAll(async () => {
  for (const db of databases) await db.dropDatabase()
  await mongo.close()
})

/** A database of its own for each test. */
let db: Db
beforeEach(() => {
  db = mongo.client.db(`test_migrations_${process.pid}_${databases.length}`)
  databases.push(db)
  things = db.collection('things')
  versions = db.collection('schema_version')
})

const fill = () =>
  things.insertMany(Array.from({ length: DOCUMENTS }, (_, index) => ({ _id: index, amount: String(index) })))
const stored = () => things.find().sort({ _id: 1 }).toArray()
const schema = () => versions.findOne({ _id: 'schema' as never })
const numbers = Array.from({ length: DOCUMENTS }, (_, index) => ({ _id: index, amount: index }))

const amountAsNumber: Rewrite = {
  collection: 'things',
  reads: ['amount'],
  change: ({ amount }) => (typeof amount === 'string' ? { $set: { amount: Number(amount) } } : undefined),
}
const amounts: Migration = {
  version: 2,
  name: 'amounts as numbers',
  oldestCode: 1,
  run: ({ rewrite }) => rewrite(amountAsNumber),
}
const colors: Migration = {
  version: 3,
  name: 'colors',
  oldestCode: 2,
  run: ({ rewrite }) =>
    rewrite({
      collection: 'things',
      reads: ['color'],
      change: ({ color }) => (color === undefined ? { $set: { color: 'red' } } : undefined),
    }),
}
const migrate = (migrations: readonly Migration[], options: { leaseMs?: number; signal?: AbortSignal } = {}) =>
  runMigrations(db, migrations, { log, batchSize: BATCH, ...options })

describe('runMigrations', () => {
  it('records the version of this code in a new database, and runs nothing', async () => {
    const run = jest.fn(amounts.run)
    expect(await migrate([{ ...amounts, run }, colors])).toMatchObject({ version: 3, oldest_code: 1 })
    expect(run).not.toHaveBeenCalled()
    expect(await versions.countDocuments()).toBe(1)
  })

  it('gives a new database one version when many processes start at once', async () => {
    const found = await Promise.all(Array.from({ length: 6 }, () => migrate([amounts])))
    expect(found.map(({ version }) => version)).toEqual([2, 2, 2, 2, 2, 2])
  })

  it('records version 1 in a database without a version, and brings it to the version of this code', async () => {
    await fill()
    expect(await migrate([])).toMatchObject({ version: 1 })
    expect(await migrate([amounts, colors])).toMatchObject({ version: 3, oldest_code: 2 })
    expect(await stored()).toEqual(numbers.map((thing) => ({ ...thing, color: 'red' })))
    expect(await schema()).not.toHaveProperty('running')
    expect(await versions.countDocuments()).toBe(1)
  })

  it('says once why it waits for the database', async () => {
    const lines: unknown[] = []
    const warn = jest.spyOn(log, 'warn').mockImplementation((...line: unknown[]) => void lines.push(line))
    const command = jest.spyOn(Collection.prototype, 'findOne')
    for (let turn = 0; turn < 2; turn += 1) command.mockRejectedValueOnce(new MongoNetworkError('wrong set name'))
    try {
      await migrate([amounts])
    } finally {
      warn.mockRestore()
      command.mockRestore()
    }
    expect(lines).toEqual([[{ reason: 'wrong set name' }, 'waiting for the database']])
  })

  it('refuses a database whose restore has not ended', async () => {
    const marks = db.collection<RestoreMark>(RESTORES)
    await marks.insertOne({ _id: 'restore', backup: 'b', started_at: new Date() })
    await expect(migrate([amounts])).rejects.toThrow('a restore of the backup b into this database has not ended')
    expect(await schema()).toBeNull()
    await marks.deleteMany({})
    await migrate([amounts])
  })

  it('does nothing the second time', async () => {
    await fill()
    const run = jest.fn(amounts.run)
    await migrate([{ ...amounts, run }])
    await migrate([{ ...amounts, run }])
    expect(run).toHaveBeenCalledTimes(1)
  })

  it('continues behind the last complete batch after a failure', async () => {
    await fill()
    const failing = {
      ...amountAsNumber,
      change: (document: Document) => {
        if (document._id === 25) throw new Error('killed')
        return amountAsNumber.change(document)
      },
    }
    await expect(migrate([{ ...amounts, run: ({ rewrite }) => rewrite(failing) }])).rejects.toThrow('killed')
    expect(await schema()).toMatchObject({ version: 1, running: { version: 2, name: 'amounts as numbers' } })

    const change = jest.fn(amountAsNumber.change)
    await migrate([{ ...amounts, run: ({ rewrite }) => rewrite({ ...amountAsNumber, change }) }])
    expect(change.mock.calls.map(([document]) => Number(document._id))).toEqual(
      Array.from({ length: DOCUMENTS - 2 * BATCH }, (_, index) => 2 * BATCH + index),
    )
    expect(await stored()).toEqual(numbers)
    expect(await schema()).toMatchObject({ version: 2 })
  })

  it('waits for the lease of a process that died, and then migrates', async () => {
    await fill()
    await migrate([])
    const until = new Date(Date.now() + 1_000)
    await db.collection<Document>('leases').insertOne({ _id: 'migrations' as never, owner: 'dead', until })
    await migrate([amounts])
    expect(Date.now()).toBeGreaterThanOrEqual(until.getTime() - 200)
    expect(await stored()).toEqual(numbers)
  })

  it('is run by one of the processes that start at once; the others wait for it', async () => {
    await fill()
    const run = jest.fn(async (work: Parameters<Migration['run']>[0]) => {
      await delay(300)
      await amounts.run(work)
    })
    const found = await Promise.all(Array.from({ length: 4 }, () => migrate([{ ...amounts, run }])))
    expect(found.map(({ version }) => version)).toEqual([2, 2, 2, 2])
    expect(run).toHaveBeenCalledTimes(1)
  })

  it('stops when its lease is lost, and runs again when the lease is free', async () => {
    await fill()
    const leases = db.collection<Document>('leases')
    let runs = 0
    const run: Migration['run'] = async (work) => {
      runs += 1
      if (runs === 1) {
        const [other, free] = ['other', ''].map((owner) => ({ owner, until: new Date(owner ? Date.now() + 1e6 : 0) }))
        await leases.updateOne({ _id: 'migrations' as never }, { $set: other })
        expect(await waitUntil(() => work.signal.aborted, WITHIN)).toBe(true)
        await leases.updateOne({ _id: 'migrations' as never }, { $set: free })
      }
      await work.rewrite(amountAsNumber)
    }
    await migrate([{ ...amounts, run }], { leaseMs: 300 })
    expect(runs).toBe(2)
    expect(await stored()).toEqual(numbers)
  })

  it('stops when it is told to', async () => {
    await fill()
    const stop = new AbortController()
    const run: Migration['run'] = async ({ rewrite }) => {
      stop.abort(new Error('stopped'))
      await rewrite(amountAsNumber)
    }
    await expect(migrate([{ ...amounts, run }], { signal: stop.signal })).rejects.toThrow('stopped')
    expect(await schema()).toMatchObject({ version: 1 })
  })

  it('refuses a database that newer code has migrated and older code must not use', async () => {
    await fill()
    await migrate([amounts, colors])
    const refused = migrate([])
    await expect(refused).rejects.toThrow(NewerSchema)
    await expect(refused).rejects.toThrow(
      'the database has schema version 3, which needs code of schema version 2 or newer; this code has 1. ' +
        'Start a newer release, or restore a backup from before the upgrade (docs/operate/upgrade.md).',
    )
  })

  it('refuses older code from the start of such a migration on', async () => {
    await fill()
    let refused: unknown
    const run: Migration['run'] = async () => {
      refused = await migrate([]).catch((error: unknown) => error)
    }
    await migrate([amounts, { ...colors, run }])
    expect(refused).toBeInstanceOf(NewerSchema)
  })

  it('lets the code of the version before use the database', async () => {
    await fill()
    await migrate([amounts, colors])
    expect(await migrate([amounts])).toMatchObject({ version: 3 })
  })

  it('refuses to rewrite a collection twice in one migration', async () => {
    await fill()
    const run: Migration['run'] = async ({ rewrite }) => {
      await rewrite(amountAsNumber)
      await rewrite(amountAsNumber)
    }
    await expect(migrate([{ ...amounts, run }])).rejects.toThrow('migration 2 rewrites things twice')
  })

  it.each([
    ['a gap', { version: 4 }, 'migration "colors" has version 4 instead of 3'],
    ['code that could not run beside it', { oldestCode: 3 }, 'migration 3 "colors": oldestCode is 1 to 2'],
    ['a version that does not exist', { oldestCode: 0 }, 'migration 3 "colors": oldestCode is 1 to 2'],
  ])('refuses %s', async (_case, changes, text) => {
    await expect(migrate([amounts, { ...colors, ...changes }])).rejects.toThrow(text)
  })
})

describe('rewriteCollection', () => {
  const rewrite = async (collection: Collection<Document>, step = amountAsNumber) => {
    let saved: RewriteProgress | undefined
    const { signal } = new AbortController()
    return rewriteCollection(collection, step, {
      batchSize: BATCH,
      signal,
      load: async () => saved,
      save: async (progress) => {
        saved = progress
      },
    })
  }
  /** The collection, with a step between the reads and the writes of each batch. */
  const interrupted = (between: () => Promise<unknown>): Collection<Document> => {
    const real = db.collection('things')
    return Object.create(real, {
      bulkWrite: {
        value: async (...args: Parameters<typeof real.bulkWrite>) => {
          await between()
          return real.bulkWrite(...args)
        },
      },
    }) as Collection<Document>
  }

  it('keeps what others write between its read and its write', async () => {
    await fill()
    let batches = 0
    const between = async () => {
      batches += 1
      if (batches > 1) return
      await things.updateOne({ _id: 3 }, { $set: { amount: '300' } })
      await things.updateOne({ _id: 4 }, { $set: { amount: 400 } })
      await things.updateOne({ _id: 5 }, { $set: { color: 'blue' } })
      await things.deleteOne({ _id: 6 })
      await things.insertOne({ _id: 3.5, amount: 'later' })
    }
    await rewrite(interrupted(between))
    const expected = new Map<number, Thing>(numbers.map((thing) => [thing._id, thing]))
    expected.set(3, { _id: 3, amount: 300 }).set(4, { _id: 4, amount: 400 }).delete(6)
    expected.set(5, { _id: 5, amount: 5, color: 'blue' }).set(3.5, { _id: 3.5, amount: 'later' })
    expect(await stored()).toEqual([...expected.values()].toSorted((a, b) => a._id - b._id))
  })

  it('keeps every write of clients that write all the time', async () => {
    await fill()
    const last = new Map<number, number>()
    const state = { over: false }
    const writer = async (offset: number) => {
      // a document has one writer, so that the last acknowledged write is the last one
      const own = numbers.map(({ _id }) => _id).filter((id) => id % 4 === offset)
      for (let turn = 0; !state.over; turn += 1) {
        const _id = own[turn % own.length] ?? 0
        await things.updateOne({ _id }, { $set: { amount: String(turn) } })
        last.set(_id, turn)
      }
    }
    const writers = [0, 1, 2, 3].map(writer)
    try {
      await waitUntil(() => last.size > 10, WITHIN)
      await rewrite(db.collection('things'))
    } finally {
      state.over = true
      await Promise.all(writers)
    }
    for (const { _id, amount } of await stored()) expect([_id, Number(amount)]).toEqual([_id, last.get(_id) ?? _id])
  })

  it('compares fields of every form with what was read', async () => {
    const forms = [null, undefined, [], ['a'], {}, { $a: 1 }, { b: 1, a: [2] }, new Date(5), /a/, 0, -1.5, true, '']
    await things.insertMany(forms.map((amount, _id) => (amount === undefined ? { _id } : { _id, amount })))
    const step: Rewrite = {
      collection: 'things',
      reads: ['amount', 'color'],
      change: ({ color }) => (color === undefined ? { $set: { color: 'red' } } : undefined),
    }
    expect(await rewrite(db.collection('things'), step)).toMatchObject({ read: forms.length, changed: forms.length })
  })

  it('ends a change that never leads to the new form', async () => {
    await things.insertOne({ _id: 1, amount: '1' })
    let turn = 1
    const between = () => things.updateOne({ _id: 1 }, { $set: { amount: String((turn += 1)) } })
    await expect(rewrite(interrupted(between))).rejects.toThrow(
      'documents of things still need their change after 50 attempts',
    )
  })
})
