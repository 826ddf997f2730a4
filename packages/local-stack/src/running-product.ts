import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCredentials, urlWithCredentials } from './credentials.ts'
import { killedWithParent, watchChild } from './parent-death.ts'
import { signalProcess } from './signal-process.ts'
import { waitUntil } from './wait-until.ts'

/** One line of `STATE_DIR/processes.json`. */
export interface ListedProcess {
  name: string
  pid: number
  port?: number
  management_port?: number
  replica?: number
}

export interface ProductOptions {
  /** the checkout that is started */
  root: string
  /** default: a temporary folder, removed by `stop` */
  stateDir?: string
  /** like `catalog=2,gateway=2` */
  replicas?: string
  env?: NodeJS.ProcessEnv
}

/** The whole product, started as a user starts it. */
export interface RunningProduct {
  /** of the first gateway */
  url: string
  adminToken: string
  stateDir: string
  processes(name?: string): ListedProcess[]
  /** The database, with user and password; undefined when it is no process of this machine (in Docker). */
  databaseUrl(): string | undefined
  /** The bus, with user and password; undefined when it is no process of this machine. */
  busUrl(): string | undefined
  /**
   * Sends a signal (default SIGKILL) to one process and returns it. A process that dies is restarted; the signal waits
   * for the next one while the listed one is dead.
   */
  kill(name: string, signal?: NodeJS.Signals, replica?: number): Promise<ListedProcess>
  /** Waits until every listed service is ready. */
  waitUntilReady(deadlineMs?: number): Promise<void>
  output(): string
  stop(): Promise<void>
}

const ADMIN_TOKEN = 'admin-token-of-a-test-run'
const START_DEADLINE_MS = 240_000
const RESTART_DEADLINE_MS = 30_000

/** Runs `npm start` on a free port with its own state folder, and waits until it is ready. */
export async function startProduct(options: ProductOptions): Promise<RunningProduct> {
  const stateDir = options.stateDir ?? mkdtempSync(join(tmpdir(), 'partsbus-product-'))
  const { MONGODB_URL: _mongodb, NATS_URL: _nats, ...environment } = process.env
  const line = killedWithParent({ command: process.execPath, args: [join(options.root, 'scripts', 'start.mjs')] })
  const child = spawn(line.command, line.args, {
    cwd: options.root,
    env: {
      ...environment,
      PORT: '0',
      ADMIN_TOKEN,
      STATE_DIR: stateDir,
      // fake suppliers listen on this machine
      SUPPLIER_ALLOWED_HOSTS: '127.0.0.1',
      REPLICAS: options.replicas ?? '',
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  watchChild(child)
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => output.push(text))
  const product: RunningProduct = {
    ...attachProduct(stateDir, options.env?.ADMIN_TOKEN ?? ADMIN_TOKEN),
    output: () => output.join(''),
    stop: () => stopProduct(child, options.stateDir === undefined ? stateDir : undefined),
  }
  try {
    const serves = await waitUntil(
      async () => {
        if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}:\n${product.output()}`)
        const listed = readList(stateDir)
        return listed.some((one) => one.name === 'gateway') && (await notReady(listed)).length === 0
      },
      { withinMs: START_DEADLINE_MS, everyMs: 200 },
    )
    if (!serves) throw new Error(`The product did not come up:\n${product.output()}`)
  } catch (error) {
    await product.stop()
    throw error
  }
  product.url = `http://127.0.0.1:${product.processes('gateway')[0]?.port}`
  return product
}

/** A product that another process started with this state folder. `stop` leaves it running. */
export function attachProduct(stateDir: string, adminToken: string): RunningProduct {
  const list = (): ListedProcess[] => readList(stateDir)
  return {
    url: `http://127.0.0.1:${list().find((one) => one.name === 'gateway')?.port}`,
    adminToken,
    stateDir,
    processes: (name) => list().filter((one) => name === undefined || one.name === name),
    databaseUrl: () => serverUrl(stateDir, 'mongodb', list().find(isDatabase)),
    busUrl: () =>
      serverUrl(
        stateDir,
        'nats',
        list().find((one) => one.name === 'nats'),
      ),
    kill: async (name, signal = 'SIGKILL', replica = 1) => {
      let found: ListedProcess | undefined
      const isSent = await waitUntil(
        () => {
          found = list().find((one) => one.name === name && (one.replica ?? 1) === replica)
          return found !== undefined && signalProcess(found.pid, signal)
        },
        { withinMs: RESTART_DEADLINE_MS, everyMs: 10 },
      )
      if (!isSent || !found) throw new Error(`No living process ${name} ${replica} in ${stateDir}/processes.json`)
      return found
    },
    waitUntilReady: async (deadlineMs = 60_000) => {
      let late: string[] = []
      const ready = await waitUntil(async () => (late = await notReady(list())).length === 0, { withinMs: deadlineMs })
      if (!ready) throw new Error(`Not every service became ready: ${late.join('; ')}`)
    },
    output: () => '',
    stop: () => Promise.resolve(),
  }
}

function isDatabase({ name }: ListedProcess): boolean {
  return name === 'ferretdb' || name === 'mongod'
}

function serverUrl(stateDir: string, scheme: 'mongodb' | 'nats', server: ListedProcess | undefined) {
  if (server?.port === undefined) return undefined
  return urlWithCredentials(scheme, readCredentials(stateDir)[scheme], '127.0.0.1', server.port)
}

function readList(stateDir: string): ListedProcess[] {
  try {
    return JSON.parse(readFileSync(join(stateDir, 'processes.json'), 'utf8')) as ListedProcess[]
  } catch {
    return []
  }
}

/** @returns the services that are not ready, with their reason; never empty while there are no services */
async function notReady(processes: ListedProcess[]): Promise<string[]> {
  const services = processes.filter((one) => one.management_port !== undefined)
  if (services.length === 0) return ['no service runs']
  const said = await Promise.all(
    services.map(async ({ name, management_port }) => {
      try {
        const answer = await fetch(`http://127.0.0.1:${management_port}/readyz`, { signal: AbortSignal.timeout(2_000) })
        const text = await answer.text()
        return answer.status === 200 ? [] : [`${name}: ${answer.status} ${text}`]
      } catch (error) {
        return [`${name}: ${String(error)}`]
      }
    }),
  )
  return said.flat()
}

async function stopProduct(child: ChildProcess, folder: string | undefined): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = new Promise((done) => child.once('exit', done))
    child.kill('SIGTERM')
    await ended
  }
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
}
