import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { isAlive } from '@partsbus/local-stack/signal-process'
import { root } from '../prepare.mjs'

interface Entry {
  name: string
  pid: number
  port?: number
  management_port?: number
}

let folder: string
let running: Started[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'partsbus-start-'))
  running = []
})
afterEach(async () => {
  for (const { child } of running) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  await until(() => entries().every(({ pid }) => !isAlive(pid)), 10_000)
  rmSync(folder, { recursive: true })
})

describe('npm start says in one line why it cannot', () => {
  it('a port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { code, output } = await start({ PORT: String(port) }).ended
    other.close()
    expect({ code, output }).toEqual({
      code: 1,
      output: `Port ${port} is taken. Free it, or choose another one: PORT=9080 npm start\n`,
    })
  })

  it('the state folder cannot be written', async () => {
    const { code, output } = await start({ STATE_DIR: '/dev/null/state' }).ended
    expect({ code, output }).toEqual({
      code: 1,
      output:
        'The state folder /dev/null/state cannot be written (ENOTDIR). ' +
        'Choose another one: STATE_DIR=~/partsbus npm start\n',
    })
  })

  it('REPLICAS names no service', async () => {
    const { code, output } = await start({ REPLICAS: 'warehouse=2' }).ended
    expect(code).toBe(1)
    expect(output).toMatch(/^REPLICAS: "warehouse=2" names no service\..*\n$/)
  })

  it('no database is available', async () => {
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    for (const name of ['node', 'sh', 'env'])
      symlinkSync(name === 'node' ? process.execPath : `/bin/${name}`, join(bin, name))
    const { code, output } = await start({
      LOCAL_STACK: 'path',
      PATH: bin,
      MONGODB_URL: '',
      NATS_URL: process.env.NATS_URL ?? '',
    }).ended
    expect(code).toBe(1)
    expect(output).toContain('No MongoDB is available. Tried:\n- MONGODB_URL: not set\n')
    expect(output).toContain('- mongod on PATH: not found\n')
    expect(output).toContain('set MONGODB_URL')
    expect(output).not.toMatch(/^\s+at /m)
  })
})

it('npm start brings everything up, restarts what dies, and leaves nothing behind', async () => {
  const own = { MONGODB_URL: '', NATS_URL: '', REPLICAS: 'catalog=2,gateway=2' }
  const product = start(own)
  expect(await until(() => product.output().includes('Partsbus is up.'), 90_000)).toBe(true)
  const first = entries()
  expect(first.filter(({ name }) => name === 'catalog' || name === 'gateway')).toHaveLength(4)
  for (const { management_port } of first.filter((entry) => entry.management_port !== undefined)) {
    expect((await fetch(`http://127.0.0.1:${management_port}/readyz`)).status).toBe(200)
  }
  const token = readFileSync(join(folder, 'state', 'admin-token'), 'utf8').trim()
  expect(product.output()).toContain(token)
  expect(statSync(join(folder, 'state', 'admin-token')).mode & 0o777).toBe(0o600)
  const gateways = first
    .filter(({ name }) => name === 'gateway')
    .map(({ port }) => `http://127.0.0.1:${port}/api/admin/settings`)
  const headers = { authorization: `Bearer ${token}` }
  for (const url of gateways) expect((await fetch(url, { headers })).status).toBe(200)

  const second = await start(own).ended
  expect(second).toMatchObject({
    code: 1,
    output: expect.stringContaining(`is in use by process ${product.child.pid}`),
  })

  const stock = first.find(({ name }) => name === 'stock')
  process.kill(stock?.pid ?? Number.NaN, 'SIGKILL')
  const restarted = () => entries().find(({ name, pid }) => name === 'stock' && pid !== stock?.pid)
  expect(await until(() => restarted() !== undefined, 60_000)).toBe(true)
  await until(() => product.output().includes('stock exited'), 30_000)
  expect(product.output()).toContain('stock exited: it was killed by SIGKILL.')

  const last = entries()
  product.child.kill('SIGTERM')
  expect((await product.ended).code).toBe(0)
  expect(last.filter(({ pid }) => isAlive(pid))).toEqual([])
  expect(entries()).toEqual([])
}, 300_000)

it('kill -9 of npm leaves nothing behind', async () => {
  const product = start({ MONGODB_URL: '', NATS_URL: '' }, 'npm', ['start'])
  expect(await until(() => product.output().includes('Partsbus is up.'), 90_000)).toBe(true)
  const all = entries()
  expect(all.length).toBeGreaterThanOrEqual(5)
  product.child.kill('SIGKILL')
  await until(() => !all.some(({ pid }) => isAlive(pid)), 60_000)
  expect(all.filter(({ pid }) => isAlive(pid))).toEqual([])
}, 300_000)

interface Started {
  child: ChildProcess
  output: () => string
  ended: Promise<{ code: number | null; output: string }>
}

function start(
  env: Record<string, string>,
  command = process.execPath,
  args = [join(root, 'scripts', 'start.mjs')],
): Started {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '', ADMIN_TOKEN: '', PORT: '0', STATE_DIR: join(folder, 'state'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }))
  const started = { child, output: () => output, ended }
  running.push(started)
  return started
}

function entries(): Entry[] {
  try {
    return JSON.parse(readFileSync(join(folder, 'state', 'processes.json'), 'utf8'))
  } catch {
    return []
  }
}

async function until(isSo: () => boolean, withinMs: number): Promise<boolean> {
  for (const end = Date.now() + withinMs; Date.now() < end; await delay(100)) if (isSo()) return true
  return isSo()
}
