import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { parseServerAddress } from '@partsbus/platform/bus/server-address'
import { DURABLE } from '@partsbus/platform/mongo/durable'
import { MongoClient } from 'mongodb'
import { isAlive } from './signal-process.ts'
import { startStack, type Stack } from './start-stack.ts'
import { waitUntil } from './wait-until.ts'

const OWN_SERVERS = { mongodbUrl: '', natsUrl: '' }
const DURABLY = { writeConcern: DURABLE }

describe('startStack', () => {
  let folder: string
  let stack: Stack
  let client: MongoClient
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'partsbus stack '))
    stack = await startStack({ ...OWN_SERVERS, stateDir: folder })
    client = await MongoClient.connect(stack.mongodbUrl)
  })
  afterAll(async () => {
    await client.close()
    await stack.stop()
    rmSync(folder, { recursive: true })
  })

  it('loses no acknowledged write when a server is killed, and is writable again within seconds', async () => {
    const notes = client.db('faults').collection<{ _id: number }>('notes')
    let acknowledged = 0
    const write = async () => {
      await notes.insertOne({ _id: acknowledged + 1 }, DURABLY)
      acknowledged += 1
    }
    for (let n = 0; n < 20; n++) await write()
    for (const server of stack.servers.filter(({ name }) => name !== 'nats')) {
      const first = server.pid
      let killed: Promise<void> | undefined
      for (let n = 0; n < 20; n++) {
        if (n === 10) killed = server.kill()
        if (!(await tryTo(write))) break
      }
      await killed
      // not before that: a backend of PostgreSQL may outlive its parent for a moment, and take a write
      expect(await waitUntil(() => server.pid !== undefined && server.pid !== first, { withinMs: 20_000 })).toBe(true)
      const writableAgain = await waitUntil(
        () =>
          tryTo(
            async () =>
              void (await notes.updateOne({ _id: 0 }, { $set: { after: server.name } }, { upsert: true, ...DURABLY })),
          ),
        {
          withinMs: 20_000,
        },
      )
      expect({ server: server.name, writableAgain }).toEqual({ server: server.name, writableAgain: true })
      acknowledged = Math.max(
        acknowledged,
        ...(await notes.find().sort({ _id: -1 }).limit(1).toArray()).map(({ _id }) => _id),
      )
      const kept = await notes.distinct('_id')
      expect(kept).toEqual(expect.arrayContaining(Array.from({ length: acknowledged }, (_, index) => index + 1)))
    }
  })

  it('keeps the content of streams when the bus is killed', async () => {
    const nats = stack.servers.find(({ name }) => name === 'nats')
    const before = await connect({ ...parseServerAddress(stack.natsUrl) })
    await (await jetstreamManager(before)).streams.add({ name: 'KEPT', subjects: ['kept'] })
    for (let n = 0; n < 5; n++) await jetstream(before).publish('kept', `message ${n}`)
    await nats?.kill()
    expect(await nats?.whenUp(10_000)).not.toBe(false)
    await before.close()
    const after = await connect({ ...parseServerAddress(stack.natsUrl) })
    expect((await (await jetstreamManager(after)).streams.info('KEPT')).state.messages).toBe(5)
    await after.close()
  })

  it('locks its folder while it runs', async () => {
    await expect(startStack({ ...OWN_SERVERS, stateDir: folder })).rejects.toThrow(
      `${folder} is in use by process ${process.pid}.`,
    )
  })

  it('finds the data at a second start, even when the pid of a crashed database was reused', async () => {
    await client.db('second').collection<{ _id: string }>('notes').insertOne({ _id: 'kept' }, DURABLY)
    await client.close()
    await stack.stop()
    expect(stack.servers.filter(({ pid }) => pid !== undefined)).toEqual([])
    const pidFile = join(folder, 'postgres', 'data', 'postmaster.pid')
    if (existsSync(join(folder, 'postgres'))) writeFileSync(pidFile, `${process.pid}\n/mnt/data\n`)
    stack = await startStack({ ...OWN_SERVERS, stateDir: folder })
    client = await MongoClient.connect(stack.mongodbUrl)
    expect(await client.db('second').collection('notes').find().toArray()).toEqual([{ _id: 'kept' }])
  })
})

describe('when the parent is killed', () => {
  it('no server is left', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'partsbus-orphans-'))
    const pidFile = join(folder, 'pids.json')
    const module = new URL('../dist/start-stack.js', import.meta.url).href
    const script = `
      const { startStack } = await import(${JSON.stringify(module)})
      const { writeFileSync, renameSync } = await import('node:fs')
      const stack = await startStack({ mongodbUrl: '', natsUrl: '', stateDir: ${JSON.stringify(folder)} })
      writeFileSync(${JSON.stringify(pidFile)} + '.new', JSON.stringify(stack.servers.map(({ pid }) => pid)))
      renameSync(${JSON.stringify(pidFile)} + '.new', ${JSON.stringify(pidFile)})
      setInterval(() => undefined, 1_000)
    `
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' })
    expect(await waitUntil(() => existsSync(pidFile), { withinMs: 60_000 })).toBe(true)
    const pids: number[] = JSON.parse(readFileSync(pidFile, 'utf8'))
    expect(pids.filter(isAlive)).toEqual(pids)
    parent.kill('SIGKILL')
    await waitUntil(() => !pids.some(isAlive), { withinMs: 50_000 })
    expect(pids.filter(isAlive)).toEqual([])
    rmSync(folder, { recursive: true })
  })
})

async function tryTo(work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch {
    return false
  }
}
