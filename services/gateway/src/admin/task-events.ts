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
}

/**
 * Server-sent events of a task (admin document): the task as it is, then at each change, the last one its final state.
 * They also end when the process stops or the task is gone; a browser then asks again by itself.
 */
export async function* taskEvents(first: AdminImportTask, watch: TaskWatch): AsyncGenerator<string> {
  let task = first
  let sentAt = performance.now()
  let heardAt = sentAt
  yield `retry: 1000\n${eventOf(task)}`
  while (!isFinal(task) && !watch.isOver()) {
    await delay(watch.pollMs)
    const now = await readNow(watch.read)
    const time = performance.now()
    if (now === 'gone' || time - heardAt > watch.patienceMs) return
    if (now !== 'unknown') heardAt = time
    if (now !== 'unknown' && hasChanged(task, now)) {
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
  return `data: ${JSON.stringify(task)}\n\n`
}

function isFinal({ status }: AdminImportTask): boolean {
  return status === 'completed' || status === 'failed'
}

/** The speed alone is no change: it falls with every second in which nothing happens. */
function hasChanged({ rows_per_second: _before, ...before }: AdminImportTask, { rows_per_second: _now, ...now }: AdminImportTask): boolean {
  return JSON.stringify(before) !== JSON.stringify(now)
}
