import { AnswerError } from './answer-error.js'

export interface RetryOptions {
  /** of one call, the first included; 5 unless given */
  attempts?: number
  /** in which all attempts of one call begin; 60 s unless given. A call is not made again when it had to wait longer */
  withinMs?: number
  /** before each pause */
  onRetry?: (error: unknown, pauseMs: number) => void
}

/**
 * After what a call is made again. Every call is after 429, which the gateway answers before it does anything.
 * `refusal`: also after 503 with `Retry-After`. `any-failure`: also after 502, 504 and without an answer, when the call
 * may have been carried out.
 */
export type RepeatedAfter = 'limit' | 'refusal' | 'any-failure'

const FIRST_PAUSE_MS = 500
const MAX_PAUSE_MS = 30_000

/** Makes a call, and makes it again after the pause that the gateway asks for. */
export async function withRetries<Answer>(
  send: () => Promise<Answer>,
  repeatedAfter: RepeatedAfter,
  options: RetryOptions | false = {},
  signal?: AbortSignal,
): Promise<Answer> {
  const { attempts = 5, withinMs = 60_000, onRetry } = options || { attempts: 1 }
  const until = Date.now() + withinMs
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send()
    } catch (error) {
      const pauseMs = pauseAfter(error, attempt)
      const isLast = attempt >= attempts || Date.now() + pauseMs > until
      if (isLast || signal?.aborted || !isRepeated(error, repeatedAfter)) throw error
      onRetry?.(error, pauseMs)
      await pause(pauseMs, signal)
    }
  }
}

/** As the gateway asks; without its time, clients that failed together must not come back together. */
function pauseAfter(error: unknown, attempt: number): number {
  const asked = error instanceof AnswerError ? error.retryAfter : null
  const own = FIRST_PAUSE_MS * 2 ** (attempt - 1) * (1 + Math.random())
  return asked === null ? Math.min(own, MAX_PAUSE_MS) : asked * 1_000
}

function isRepeated(error: unknown, repeatedAfter: RepeatedAfter): boolean {
  const isRepeatable = repeatedAfter === 'any-failure'
  if (!(error instanceof AnswerError)) return isRepeatable && isWithoutAnswer(error)
  const { status, retryAfter } = error
  if (status === 429) return true
  // an API that an administrator has switched off names no time
  if (status === 503) return repeatedAfter !== 'limit' && retryAfter !== null
  return isRepeatable && (status === 502 || status === 504)
}

/** What `fetch` throws when the connection fails; it throws the same of an address that is none. */
function isWithoutAnswer(error: unknown): boolean {
  return error instanceof TypeError && (error.cause as { code?: string } | undefined)?.code !== 'ERR_INVALID_URL'
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })
}
