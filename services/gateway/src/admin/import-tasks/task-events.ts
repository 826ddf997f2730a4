import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '@partsbus/contracts/app-error'
import type { AdminImportTask } from '@partsbus/contracts/pricing-import/import-task'

export interface TaskWatch {
  /** the task as it is now */
  read: () => Promise<AdminImportTask>
  /** true when the listener has disconnected or is signed out, or the process is about to stop */
  isOver: () => boolean | Promise<boolean>
  pollMs: number
  /** ms between comments that keep proxies from closing an idle connection */
  beatMs: number
  /** ms for which the service may be unreachable before the events end */
  patienceMs: number
  /** the id of the last event that the listener received before it reconnected */
  seen?: string | undefined
}

/**
 * Server-sent events of a task (admin.md#task-events): its current state, then each change up to its final state. They
 * also end when the process stops or the task was deleted; a browser then reconnects by itself.
 */
export async function* taskEvents(first: AdminImportTask, watch: TaskWatch): AsyncGenerator<string> {
  let task = first
  let sentAt = performance.now()
  let answeredAt = sentAt
  yield `retry: 1000\n${eventId(task) === watch.seen ? '\n' : eventOf(task)}`
  while (!isFinal(task) && !(await watch.isOver())) {
    await delay(watch.pollMs)
    const now = await readNow(watch.read)
    const time = performance.now()
    if (now === 'gone' || time - answeredAt > watch.patienceMs) return
    if (now !== 'unknown') answeredAt = time
    if (now !== 'unknown' && eventId(task) !== eventId(now)) {
      task = now
      sentAt = time
      yield eventOf(task)
    } else if (time - sentAt >= watch.beatMs) {
      sentAt = time
      yield ': keep-alive\n\n'
    }
  }
}

async function readNow(read: TaskWatch['read']): Promise<AdminImportTask | 'gone' | 'unknown'> {
  try {
    return await read()
  } catch (error) {
    return error instanceof AppError && error.code === 'NOT_FOUND' ? 'gone' : 'unknown'
  }
}

function eventOf(task: AdminImportTask): string {
  return `id: ${eventId(task)}\ndata: ${JSON.stringify(task)}\n\n`
}

export function isFinal({ status }: AdminImportTask): boolean {
  return status === 'completed' || status === 'failed'
}

/**
 * Identifies the state of a task, the same on every gateway. The speed is excluded: it changes without any progress.
 */
export function eventId({ rows_per_second: _, ...task }: AdminImportTask): string {
  return createHash('sha256').update(JSON.stringify(task)).digest('hex').slice(0, 16)
}
