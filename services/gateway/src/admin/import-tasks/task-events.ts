import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '@partsbus/contracts/errors'
import type { AdminImportTask } from '@partsbus/contracts/import-task'

export interface TaskWatch {
  /** the task as it is now */
  read: () => Promise<AdminImportTask>
  /** true when the listener has gone, or the process is about to stop; a generator that waits learns neither by itself */
  isOver: () => boolean
  pollMs: number
  /** something is sent at least that often, so that nobody between takes the connection for dead */
  beatMs: number
  /** its service may be away that long before the events end */
  patienceMs: number
  /** the id of the last event that the listener got before its connection broke */
  seen?: string | undefined
}

/**
 * Server-sent events of a task (admin.md#task-events): the task as it is, then at each change, the last one its final state.
 * They also end when the process stops or the task is gone; a browser then asks again by itself, and is told only what is new.
 */
export async function* taskEvents(first: AdminImportTask, watch: TaskWatch): AsyncGenerator<string> {
  let task = first
  let sentAt = performance.now()
  let heardAt = sentAt
  yield `retry: 1000\n${eventId(task) === watch.seen ? '\n' : eventOf(task)}`
  while (!isFinal(task) && !watch.isOver()) {
    await delay(watch.pollMs)
    const now = await readNow(watch.read)
    const time = performance.now()
    if (now === 'gone' || time - heardAt > watch.patienceMs) return
    if (now !== 'unknown') heardAt = time
    if (now !== 'unknown' && eventId(task) !== eventId(now)) {
      task = now
      sentAt = time
      yield eventOf(task)
    } else if (time - sentAt >= watch.beatMs) {
      sentAt = time
      yield ': still there\n\n'
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

/** Names the state of a task, on every gateway alike. The speed is no part of it: it falls with every second in which nothing happens. */
export function eventId({ rows_per_second: _, ...task }: AdminImportTask): string {
  return createHash('sha256').update(JSON.stringify(task)).digest('hex').slice(0, 16)
}
