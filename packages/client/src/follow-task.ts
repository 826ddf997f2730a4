import type { ImportTask } from '@partsbus/contracts/b2b'

/** Pauses between polls begin a little above this and grow: most imports end within a second. */
const FIRST_POLL_MS = 125
const POLL_MS = 2_000
/** Longest pause between polls that fail. */
const MAX_POLL_MS = 10_000
/** A stream that could not be opened again so often, without an event in between, is given up. */
const MAX_ATTEMPTS = 3

/** How the state arrives: as events, not at all for the moment, or by polling in place of events. */
export type FollowState = 'live' | 'reconnecting' | 'polling'

type Task = Pick<ImportTask, 'status'>

export interface TaskSource<Followed extends Task> {
  /** address of the event stream */
  eventsUrl?: string
  /** false where the credential is a header, which an EventSource cannot send */
  canStream?: boolean
  read(): Promise<Followed>
}

export interface FollowOptions {
  /** gets the error of a poll; polling continues, except after a 4xx other than 429 */
  onError?: (error: unknown) => void
  /** is called at each change; the first state is `live` */
  onState?: (state: FollowState) => void
}

export interface WaitOptions<Followed> {
  /** gets the state of the import, and each change */
  onTask?: ((task: Followed) => void) | undefined
  /** gives up waiting; the import goes on */
  signal?: AbortSignal | undefined
}

const CLOSED = 2
/** A task that is gone, or a token that is revoked; a gateway that restarts is asked again. */
const isLost = (error: unknown): boolean => {
  const { status = 0 } = error as { status?: number }
  return status >= 400 && status < 500 && status !== 429
}
const isFinal = ({ status }: Task): boolean => status === 'completed' || status === 'failed'

/**
 * Calls `onTask` with the current state of an import and after each change, up to its final state: by server-sent
 * events in a browser, and by polling where there are none, or their stream is refused or fails again and again.
 * @returns a function that stops
 */
export function followTask<Followed extends Task>(
  { eventsUrl = '', canStream = false, read }: TaskSource<Followed>,
  onTask: (task: Followed) => void,
  { onError, onState }: FollowOptions = {},
): () => void {
  const { EventSource } = globalThis as { EventSource?: typeof globalThis.EventSource }
  let events: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStopped = false
  let shown = ''
  let state: FollowState = 'live'
  let failures = 0

  const stop = (): void => {
    isStopped = true
    events?.close()
    clearTimeout(timer)
  }
  const changeState = (next: FollowState): void => {
    if (!isStopped && next !== state) onState?.(next)
    state = next
  }
  const show = (task: Followed): void => {
    if (isStopped) return
    const text = JSON.stringify(task)
    if (text !== shown) onTask(task)
    shown = text
    if (isFinal(task)) stop()
  }
  const poll = async (pauseMs: number): Promise<void> => {
    let nextMs = Math.min(pauseMs * 2, POLL_MS)
    try {
      show(await read())
      changeState('polling')
    } catch (error) {
      if (isStopped) return
      onError?.(error)
      if (isLost(error)) return
      changeState('reconnecting')
      nextMs = Math.min(pauseMs * 2, MAX_POLL_MS)
    }
    if (!isStopped) timer = setTimeout(() => void poll(nextMs), nextMs)
  }

  if (!EventSource || !canStream) {
    void poll(FIRST_POLL_MS)
    return stop
  }
  events = new EventSource(eventsUrl)
  events.onopen = () => changeState('live')
  events.onmessage = ({ data }) => {
    failures = 0
    show(JSON.parse(String(data)) as Followed)
  }
  events.onerror = () => {
    if (isStopped) return
    failures += 1
    changeState('reconnecting')
    // the first failure is the end of the stream; a browser opens it again by itself unless it was refused
    if (events?.readyState !== CLOSED && failures <= MAX_ATTEMPTS) return
    events?.close()
    void poll(POLL_MS)
  }
  return stop
}

/** The state in which an import ended. @throws the error after which it is not followed any more */
export function awaitEnd<Followed extends Task>(
  source: TaskSource<Followed>,
  { onTask, signal }: WaitOptions<Followed> = {},
): Promise<Followed> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: () => void): void => {
      signal?.removeEventListener('abort', abort)
      stop()
      outcome()
    }
    const abort = (): void => settle(() => reject(signal?.reason))
    const stop = followTask(
      source,
      (task) => {
        onTask?.(task)
        if (isFinal(task)) settle(() => resolve(task))
      },
      { onError: (error) => isLost(error) && settle(() => reject(error)) },
    )
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort)
  })
}
