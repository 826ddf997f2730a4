import type { AdminImportTask } from '@partsbus/contracts/pricing-import/import-task'

const POLL_MS = 1_000
/** Longest wait between polls that fail. */
const MAX_POLL_MS = 10_000

export interface TaskSource {
  /** address of the event stream */
  eventsUrl: string
  /** false where the credential is a header, which an EventSource cannot send */
  canStream: boolean
  read(): Promise<AdminImportTask>
}

const CLOSED = 2
const isFinal = ({ status }: AdminImportTask): boolean => status === 'completed' || status === 'failed'

/**
 * Calls `onTask` with the current state of an import and after each change, up to its final state: by server-sent
 * events in a browser, and by polling where there are none or their stream is refused.
 * @param onError gets the error of a poll; polling continues, except after a 4xx
 * @returns a function that stops
 */
export function followTask(
  { eventsUrl, canStream, read }: TaskSource,
  onTask: (task: AdminImportTask) => void,
  onError?: (error: unknown) => void,
): () => void {
  const { EventSource } = globalThis as { EventSource?: typeof globalThis.EventSource }
  let events: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStopped = false
  let shown = ''

  const stop = (): void => {
    isStopped = true
    events?.close()
    clearTimeout(timer)
  }
  const show = (task: AdminImportTask): void => {
    if (isStopped) return
    const text = JSON.stringify(task)
    if (text !== shown) onTask(task)
    shown = text
    if (isFinal(task)) stop()
  }
  const poll = async (waitMs: number): Promise<void> => {
    let nextMs = POLL_MS
    try {
      show(await read())
    } catch (error) {
      if (isStopped) return
      onError?.(error)
      const { status } = error as { status?: number }
      if (status !== undefined && status >= 400 && status < 500) return
      nextMs = Math.min(waitMs * 2, MAX_POLL_MS)
    }
    if (!isStopped) timer = setTimeout(() => void poll(nextMs), nextMs)
  }

  if (!EventSource || !canStream) {
    void poll(POLL_MS)
    return stop
  }
  events = new EventSource(eventsUrl)
  events.onmessage = ({ data }) => show(JSON.parse(String(data)) as AdminImportTask)
  events.onerror = () => {
    // otherwise it reconnects by itself
    if (events?.readyState === CLOSED && !isStopped) void poll(POLL_MS)
  }
  return stop
}
