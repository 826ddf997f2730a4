import { setTimeout as delay } from 'node:timers/promises'
import type { AdminClient } from '@partsbus/client/admin-client'
import { CommandFailed, UsageError } from '../exit-codes.js'
import type { Databases } from '../doctor/open-databases.js'

const TEXT = 'A backup is being made. Please repeat the request in a few minutes.'
/** Workers look every second whether maintenance is on, and one request may last a little. */
const WORKERS_FOLLOW_MS = 3_000
const LOOK_EVERY_MS = 500
/** A gateway renews its entry every 2 s. */
const GATEWAY_ALIVE_MS = 10_000

/** Whether a gateway serves requests now, by the entries that gateways renew. */
export async function isServing({ of }: Databases): Promise<boolean> {
  const gateway = of.get('gateway')
  if (!gateway) return false
  const { localTime } = await gateway.admin().command({ hello: 1 })
  const since = new Date((localTime as Date).getTime() - GATEWAY_ALIVE_MS)
  return (await gateway.collection('gateways').countDocuments({ seen_at: { $gt: since } })) > 0
}

/**
 * Runs `work` while nothing writes: in maintenance, when workers have finished what they had started. Maintenance ends
 * with the work, also when that fails or is interrupted, unless it was on before. Without a running gateway nothing
 * writes anyway.
 * @throws CommandFailed when imports are not finished after `waitMs`
 */
export async function withoutWrites<T>(
  { admin, databases, waitMs }: { admin: AdminClient | undefined; databases: Databases; waitMs: number },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const interrupted = new AbortController()
  const interrupt = (): void => interrupted.abort(new CommandFailed('The backup was interrupted.'))
  if (!(await isServing(databases))) {
    const result = await work(interrupted.signal)
    if (await isServing(databases)) throw new CommandFailed('A gateway was started during the backup. Repeat it.')
    return result
  }
  if (!admin)
    throw new UsageError('The services are running, and writes must be paused. Set ADMIN_TOKEN or ADMIN_TOKEN_FILE.')
  const { maintenance } = await admin('GET /settings')
  // the text of a backup that was killed is not an administrator's
  const isOurs = maintenance === null || maintenance === TEXT
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt)
  try {
    if (isOurs) await admin('PATCH /settings', { body: { maintenance: TEXT } })
    await waitForWorkers(databases, waitMs, interrupted.signal)
    const result = await work(interrupted.signal)
    if ((await admin('GET /settings')).maintenance === null)
      throw new CommandFailed('Maintenance has ended during the backup, so writes were not paused. Repeat it.')
    return result
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, interrupt)
    if (isOurs) await admin('PATCH /settings', { body: { maintenance: null } })
  }
}

async function waitForWorkers({ of }: Databases, waitMs: number, signal: AbortSignal): Promise<void> {
  const end = performance.now() + waitMs
  await delay(WORKERS_FOLLOW_MS)
  for (;;) {
    signal.throwIfAborted()
    const imports = (await of.get('pricing-import')?.collection('import_tasks').countDocuments(RUNNING)) ?? 0
    if (imports === 0) return
    if (performance.now() > end)
      throw new CommandFailed(`${imports} imports are not finished after ${Math.round(waitMs / 1_000)} s.`)
    await delay(LOOK_EVERY_MS)
  }
}

const RUNNING = { status: 'processing' }
