import { describe, expect, it } from '@jest/globals'
import { AppError } from '@partsbus/contracts/app-error'
import type { AdminImportTask } from '@partsbus/contracts/pricing-import/import-task'
import { adminImportTask } from '../../testing/resources.js'
import { eventId, taskEvents, type TaskWatch } from './task-events.js'

const times = { pollMs: 1, beatMs: 60_000, patienceMs: 60_000 }
const at = (processed_rows: number, rest: Partial<AdminImportTask> = {}): AdminImportTask => ({
  ...adminImportTask,
  processed_rows,
  ...rest,
})

/** Follows a task that is read as these, the last one for ever. */
async function follow(readings: Array<AdminImportTask | Error>, watch: Partial<TaskWatch> = {}, most = Infinity) {
  const [first, ...later] = readings
  const pieces: string[] = []
  let reads = 0
  const read = async (): Promise<AdminImportTask> => {
    const reading = later[Math.min(reads, later.length - 1)]
    reads += 1
    if (reading instanceof Error || !reading) throw reading
    return reading
  }
  for await (const piece of taskEvents(first as AdminImportTask, { read, isOver: () => false, ...times, ...watch })) {
    pieces.push(piece)
    if (pieces.length >= most) break
  }
  const tasks = pieces
    .filter((piece) => piece.includes('data: '))
    .map((piece) => JSON.parse(/^data: (.*)\n\n$/m.exec(piece)?.[1] ?? '') as AdminImportTask)
  return { pieces, reads, rows: tasks.map((task) => task.processed_rows), states: tasks.map((task) => task.status) }
}

describe('events of a task (admin.md#task-events)', () => {
  it('the task at each change, the last one its final state', async () => {
    const done = at(30, { status: 'completed' })
    expect(await follow([at(0, { status: 'pending' }), at(0), at(10), at(10), at(10), at(30), done])).toMatchObject({
      rows: [0, 0, 10, 30, 30],
      states: ['pending', 'processing', 'processing', 'processing', 'completed'],
      reads: 6,
    })
  })
  it.each(['completed', 'failed'] as const)('of one that is %s: one event', async (status) => {
    expect(await follow([at(5, { status })])).toMatchObject({ states: [status], reads: 0 })
  })
  it('are lines that every EventSource understands', async () => {
    const failed = at(5, { status: 'failed', error_message: 'two\nlines' })
    expect((await follow([failed])).pieces).toEqual([
      `retry: 1000\nid: ${eventId(failed)}\ndata: ${JSON.stringify(failed)}\n\n`,
    ])
  })
  it('a listener that reconnects gets only later events', async () => {
    const done = at(9, { status: 'completed' })
    expect((await follow([at(5), done], { seen: eventId(at(5, { rows_per_second: 1 })) })).rows).toEqual([9])
    expect((await follow([at(6), done], { seen: eventId(at(5)) })).rows).toEqual([6, 9])
    expect((await follow([at(5), done], { seen: 'nonsense' })).rows).toEqual([5, 9])
  })
  it('a change of the speed alone is not an event', async () => {
    expect(
      (
        await follow([
          at(5),
          at(5, { rows_per_second: 4 }),
          at(5, { rows_per_second: 3 }),
          at(6, { status: 'completed' }),
        ])
      ).rows,
    ).toEqual([5, 6])
  })
  it('something is sent while nothing happens', async () => {
    expect((await follow([at(5), at(5)], { beatMs: 5 }, 4)).pieces.slice(1)).toEqual([
      ': keep-alive\n\n',
      ': keep-alive\n\n',
      ': keep-alive\n\n',
    ])
  })
  it('continue when the service is unreachable for a moment', async () => {
    const away = new AppError('UNAVAILABLE', 'away')
    expect((await follow([at(5), away, away, at(7, { status: 'completed' })])).rows).toEqual([5, 7])
  })
  it('end when the service stays unreachable or the task was deleted', async () => {
    expect((await follow([at(5), new AppError('TIMEOUT', 'late')], { patienceMs: 20 })).rows).toEqual([5])
    expect(await follow([at(5), new AppError('NOT_FOUND', 'gone')])).toMatchObject({ rows: [5], reads: 1 })
  })
  it('end, and polling with them, when the listener has disconnected', async () => {
    let asked = 0
    expect((await follow([at(5), at(6), at(7), at(8)], { isOver: () => (asked += 1) > 2 })).rows).toEqual([5, 6, 7])
  })
})
