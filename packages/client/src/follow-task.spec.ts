import { afterEach, describe, expect, it } from '@jest/globals'
import type { AdminImportTask } from '@partsbus/contracts/pricing-import/import-task'
import { followTask, type FollowState } from './follow-task.js'

const OPEN = 1
const CONNECTING = 0
const CLOSED = 2

/** The stream of a browser, which the spec opens and breaks. */
class Stream {
  static last: Stream
  readyState = CONNECTING
  onopen?: () => void
  onmessage?: (event: { data: string }) => void
  onerror?: () => void

  constructor(readonly url: string) {
    Stream.last = this
  }

  open(): void {
    this.readyState = OPEN
    this.onopen?.()
  }

  send(task: AdminImportTask): void {
    this.onmessage?.({ data: JSON.stringify(task) })
  }

  fail(readyState = CONNECTING): void {
    this.readyState = readyState
    this.onerror?.()
  }

  close(): void {
    this.readyState = CLOSED
  }
}

const browser = globalThis as { EventSource?: unknown }
const own = browser.EventSource
afterEach(() => {
  browser.EventSource = own
})

const taskAt = (processed_rows: number) => ({ id: 7, status: 'processing', processed_rows }) as AdminImportTask

function follow(read: () => Promise<AdminImportTask>) {
  browser.EventSource = Stream
  const states: FollowState[] = []
  const rows: number[] = []
  const stop = followTask(
    { eventsUrl: '/events', canStream: true, read },
    ({ processed_rows }) => rows.push(processed_rows),
    { onState: (state) => states.push(state) },
  )
  return { states, rows, stop, stream: Stream.last }
}

describe('following an import by server-sent events', () => {
  it('says that it reconnects until the stream is open again', () => {
    const { states, rows, stop, stream } = follow(() => Promise.reject(new Error('not read')))
    stream.open()
    stream.send(taskAt(1))
    stream.fail()
    expect(states).toEqual(['reconnecting'])
    stream.open()
    stream.send(taskAt(2))
    expect([states, rows]).toEqual([
      ['reconnecting', 'live'],
      [1, 2],
    ])
    stop()
  })

  it.each([
    ['a refused stream', [CLOSED]],
    ['three attempts that fail', [CONNECTING, CONNECTING, CONNECTING, CONNECTING]],
  ])('polls after %s', async (_, failures) => {
    const read = Promise.resolve(taskAt(3))
    const { states, rows, stop, stream } = follow(() => read)
    for (const readyState of failures) {
      expect(stream.readyState).not.toBe(CLOSED)
      stream.fail(readyState)
    }
    await read
    await Promise.resolve()
    expect([states, rows, stream.readyState]).toEqual([['reconnecting', 'polling'], [3], CLOSED])
    stop()
  })

  it('says nothing after it was stopped', () => {
    const { states, stop, stream } = follow(() => Promise.reject(new Error('not read')))
    stop()
    stream.fail()
    expect(states).toEqual([])
  })
})
