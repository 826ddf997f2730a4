import { setTimeout as delay } from 'node:timers/promises'
import type { AdminClient } from '@partsbus/client/admin-client'
import { listRunning, nameServices, type RunningProcess } from '@partsbus/platform/backup/list-running'
import { databaseNow } from '@partsbus/platform/mongo/clock'
import { CommandFailed, UsageError } from '@partsbus/cli/exit-codes'
import type { Databases } from './open-databases.js'

const TEXT = 'A backup is being made. Please repeat the request in a few minutes.'
const LOOK_EVERY_MS = 500
const WATCH_EVERY_MS = 2_000

interface Pausing {
  admin: AdminClient | undefined
  databases: Databases
  /** longest time to wait for what has begun */
  waitMs: number
}

/**
 * Runs `work` while nothing writes: in maintenance, when every process of every service has said that it has finished
 * what it had begun. Maintenance ends with the work, also when that fails or is interrupted, unless it was on before.
 * Fails when a process starts, or writes again, meanwhile.
 * @throws CommandFailed when something is not finished after `waitMs`
 */
export async function withoutWrites<T>(pausing: Pausing, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { admin, databases } = pausing
  const running = await listRunning(databases)
  if (running.length === 0) return watched(databases, running, new AbortController(), work)
  if (!running.some(({ service }) => service === 'gateway'))
    throw new CommandFailed(
      `Without a gateway, writes of ${nameServices(running)} cannot be paused. Start a gateway, or stop all services.`,
    )
  if (!admin)
    throw new UsageError('The services are running, and writes must be paused. Set ADMIN_TOKEN or ADMIN_TOKEN_FILE.')
  const interrupted = new AbortController()
  const interrupt = (): void => interrupted.abort(new CommandFailed('The backup was interrupted.'))
  const { maintenance } = await admin('GET /settings')
  // the text of a backup that was killed is not an administrator's
  const isOurs = maintenance === null || maintenance === TEXT
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt)
  try {
    if (isOurs) await admin('PATCH /settings', { body: { maintenance: TEXT } })
    const quiet = await waitUntilQuiet(pausing, interrupted.signal)
    const result = await watched(databases, quiet, interrupted, work)
    if ((await admin('GET /settings')).maintenance === null)
      throw new CommandFailed('Maintenance has ended during the backup, so writes were not paused. Repeat it.')
    return result
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, interrupt)
    if (isOurs) await admin('PATCH /settings', { body: { maintenance: null } })
  }
}

/** Gateways first: a request that one of them still handles makes a service write. */
async function waitUntilQuiet({ databases, waitMs }: Pausing, signal: AbortSignal): Promise<RunningProcess[]> {
  const end = performance.now() + waitMs
  const wait = async (isAwaited: (one: RunningProcess) => boolean): Promise<RunningProcess[]> => {
    const since = await readClocks(databases)
    for (;;) {
      signal.throwIfAborted()
      const running = await listRunning(databases)
      const busy = running.filter((one) => isAwaited(one) && !isQuietSince(one, since.get(one.owner)))
      if (busy.length === 0) return running
      if (performance.now() > end)
        throw new CommandFailed(`Still at work after ${Math.round(waitMs / 1_000)} s: ${describeWork(busy)}.`)
      await delay(LOOK_EVERY_MS)
    }
  }
  await wait(({ service }) => service === 'gateway')
  return wait(() => true)
}

/** The time of each database, by its own clock. */
async function readClocks(databases: Databases): Promise<Map<string, Date>> {
  return new Map(
    await Promise.all([...databases].map(async ([service, { db }]) => [service, await databaseNow(db)] as const)),
  )
}

function isQuietSince({ service, quiet_at }: RunningProcess, since: Date | undefined): boolean {
  if (quiet_at === undefined || since === undefined)
    throw new CommandFailed(`A ${service} of an earlier release runs, which does not say when it rests. Upgrade it.`)
  return quiet_at !== null && quiet_at >= since
}

function describeWork(processes: readonly RunningProcess[]): string {
  const work = processes.map(({ service, busy = [] }) => `${service} (${busy.join(', ') || 'has not said yet'})`)
  return [...new Set(work)].join(', ')
}

/** Fails as soon as the processes are others than before, or one of them may write again. */
async function watched<T>(
  databases: Databases,
  before: readonly RunningProcess[],
  interrupted: AbortController,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const compare = async (): Promise<void> => {
    const known = new Map(before.map((one) => [one._id, one.resumed]))
    const other = (await listRunning(databases)).find(
      (one) => !known.has(one._id) || known.get(one._id) !== one.resumed || one.quiet_at === null,
    )
    if (other) throw new CommandFailed(`A ${other.service} was started, or wrote, during the backup. Repeat it.`)
  }
  const timer = setInterval(() => void compare().catch((error: Error) => interrupted.abort(error)), WATCH_EVERY_MS)
  try {
    const result = await work(interrupted.signal)
    await compare()
    return result
  } finally {
    clearInterval(timer)
  }
}
