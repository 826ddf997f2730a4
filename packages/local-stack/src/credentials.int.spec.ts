import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect as connectSocket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '@nats-io/transport-node'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { MongoClient } from 'mongodb'
import { parseServerAddress } from '@partsbus/platform/bus/server-address'
import { startStack, type Stack } from './start-stack.ts'

let folder: string
let stack: Stack
const start = () => startStack({ mongodbUrl: '', natsUrl: '', stateDir: folder })

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'partsbus-credentials-'))
  chmodSync(folder, 0o755)
  stack = await start()
})
afterAll(async () => {
  await stack.stop()
  rmSync(folder, { recursive: true })
})

const withoutPassword = (url: string) => url.replace(/\/\/.*@/, '//')
const withWrongPassword = (url: string) => url.replace(/:[^/:]*@/, ':wrong@')

async function write(url: string): Promise<void> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 5_000 })
  try {
    await client
      .db('kept')
      .collection<{ _id: number }>('notes')
      .updateOne({ _id: 1 }, { $inc: { n: 1 } }, { upsert: true })
  } finally {
    await client.close()
  }
}

async function publish(url: string): Promise<void> {
  const nc = await connect({ ...parseServerAddress(url), reconnect: false })
  await nc.flush()
  await nc.close()
}

it('the database and the bus refuse clients without the password, and accept those with it', async () => {
  await expect(write(withoutPassword(stack.mongodbUrl))).rejects.toThrow(/requires authentication/)
  await expect(write(withWrongPassword(stack.mongodbUrl))).rejects.toThrow(/Authentication failed/)
  await write(stack.mongodbUrl)
  await expect(publish(withoutPassword(stack.natsUrl))).rejects.toThrow(/Authorization Violation/)
  await expect(publish(withWrongPassword(stack.natsUrl))).rejects.toThrow(/Authorization Violation/)
  await publish(stack.natsUrl)
})

it('PostgreSQL behind FerretDB asks every role for its password', async () => {
  const port = stack.servers.find(({ name }) => name === 'postgres')?.plan.port
  if (port === undefined) return expect(stack.how.mongodb).not.toBe('built')
  for (const role of ['postgres', 'partsbus', 'documentdb_readwrite_role'])
    expect([role, await authenticationRequest(port, role)]).toEqual([role, 'SCRAM-SHA-256'])
})

it('folders and files with data or passwords are readable by their owner alone', () => {
  const names = ['.', 'logs', 'mongodb', 'postgres', 'ferretdb', 'nats'].filter((name) =>
    existsSync(join(folder, name)),
  )
  expect(names.length).toBeGreaterThanOrEqual(4)
  for (const name of names) expect([name, modeOf(name)]).toEqual([name, '700'])
  expect(['credentials.json', 'nats/nats.conf'].map(modeOf)).toEqual(['600', '600'])
})

it('no password is in the arguments of a process or in a log', () => {
  const passwords = [stack.mongodbUrl, stack.natsUrl].map((url) => new URL(url).password)
  const { postgres } = JSON.parse(readFileSync(join(folder, 'credentials.json'), 'utf8'))
  for (const { name, pid } of stack.servers) {
    const log = readFileSync(join(folder, 'logs', `${name}.log`), 'utf8')
    const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    for (const password of [...passwords, postgres.password])
      expect([name, log.includes(password), args.includes(password)]).toEqual([name, false, false])
  }
})

it('a folder of a version without passwords keeps its data and receives them', async () => {
  const before = stack.mongodbUrl
  // a mongod opens for the password of its first user only
  const isBuilt = stack.how.mongodb === 'built'
  await stack.stop()
  if (isBuilt) rmSync(join(folder, 'credentials.json'))
  const access = join(folder, 'postgres', 'data', 'pg_hba.conf')
  if (existsSync(access)) writeFileSync(access, 'local all all trust\nhost all all 127.0.0.1/32 trust\n')
  for (const name of ['.', 'logs', 'nats']) chmodSync(join(folder, name), 0o755)
  chmodSync(join(folder, 'nats', 'nats.conf'), 0o644)
  stack = await start()
  expect(new URL(stack.mongodbUrl).password !== new URL(before).password).toBe(isBuilt)
  await expect(write(withoutPassword(stack.mongodbUrl))).rejects.toThrow(/requires authentication/)
  await expect(publish(withoutPassword(stack.natsUrl))).rejects.toThrow(/Authorization Violation/)
  const client = await MongoClient.connect(stack.mongodbUrl)
  expect(await client.db('kept').collection('notes').find().toArray()).toEqual([{ _id: 1, n: 1 }])
  await client.close()
  expect(['.', 'logs', 'nats', 'nats/nats.conf', 'credentials.json'].map(modeOf)).toEqual([
    '700',
    '700',
    '700',
    '600',
    '600',
  ])
})

it('a start without the passwords of its folder fails, names the file and leaves the folder free', async () => {
  const file = join(folder, 'credentials.json')
  await stack.stop()
  const kept = readFileSync(file, 'utf8')
  writeFileSync(file, '{"mongodb":{"user":"partsbus"}}')
  await expect(start()).rejects.toThrow(`${file} lacks a password.`)
  writeFileSync(file, 'no JSON')
  await expect(start()).rejects.toThrow(`${file} cannot be read`)
  writeFileSync(file, kept)
  stack = await start()
  await write(stack.mongodbUrl)
})

function modeOf(name: string): string {
  return (statSync(join(folder, name)).mode & 0o777).toString(8)
}

/** The answer of PostgreSQL to a client with a role and no password: the method, `none` or the error. */
async function authenticationRequest(port: number, role: string): Promise<string> {
  const socket = connectSocket(port, '127.0.0.1')
  const parameters = Buffer.from(`user\0${role}\0database\0postgres\0\0`)
  const startup = Buffer.alloc(8)
  startup.writeInt32BE(8 + parameters.length, 0)
  startup.writeInt32BE(0x00_03_00_00, 4)
  socket.write(Buffer.concat([startup, parameters]))
  const [reply] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  if (reply.toString('latin1', 0, 1) !== 'R') return reply.toString('latin1')
  return reply.readInt32BE(5) === 0 ? 'none' : reply.subarray(9).toString('latin1').replace(/\0.*/s, '')
}
