import { AppError, texts } from '@partsbus/contracts/errors'
import { ConcurrencyLimit } from './concurrency-limit.js'

export interface AdmissionLimits {
  /** requests that a service works on at once */
  requests: number
  /** requests whose body is still arriving; default: as many as `requests` */
  arriving?: number
  /** bytes of bodies and responses held in memory */
  bytes: number
  /** ms; with a target, fewer than `requests` are admitted while the services take longer than this */
  targetMs?: number
}

/** Reserves memory. @throws AppError OVERLOADED when the API holds as much as it may */
export type Reserve = (bytes: number) => void

/**
 * Requests that are always admitted, however slow the services are, and those admitted before anything was measured.
 */
const MIN_REQUESTS = 8
const INITIAL_REQUESTS = 128

/**
 * Admission control of one API (rules.md#overload). Each API has an instance of its own, so that overload of one does
 * not refuse requests of another. A request goes through arriving → in progress → finished. Its body counts the bytes
 * that have arrived, and it occupies a slot of a service only when the body is complete: clients that send slowly, or
 * announce a body and send nothing, use up `arriving` alone. Requests are refused at once rather than queued: a queue
 * inside the gateway would only add to the response time.
 */
export class Admission {
  private readonly limits: Required<Pick<AdmissionLimits, 'requests' | 'arriving' | 'bytes'>>
  private readonly targetMs: number | undefined
  private readonly concurrency: ConcurrencyLimit
  private arriving = 0
  private inProgress = 0
  private bytes = 0

  constructor({ requests, arriving = requests, bytes, targetMs }: AdmissionLimits) {
    this.limits = { requests, arriving, bytes }
    this.targetMs = targetMs
    const initial = targetMs === undefined ? requests : Math.min(INITIAL_REQUESTS, requests)
    this.concurrency = new ConcurrencyLimit({ initial, min: Math.min(MIN_REQUESTS, requests), max: requests })
  }

  /**
   * Receives a body, then does the work.
   * @param pauseMs part of the work that is not spent on the services' side of the queue, like waiting for images
   * @throws AppError OVERLOADED at once when there is no capacity
   */
  async receive<Body, Result>(
    read: (reserve: Reserve) => Promise<Body>,
    work: (body: Body) => Promise<Result>,
    pauseMs = 0,
  ): Promise<Result> {
    if (this.arriving >= this.limits.arriving || this.isFull()) throw overloaded()
    return this.withReserve(async (reserve) => {
      this.arriving += 1
      const body = await read(reserve).finally(() => {
        this.arriving -= 1
      })
      return this.occupy(() => work(body), pauseMs)
    })
  }

  /** Does work that needs no body. @throws AppError OVERLOADED at once when there is no capacity */
  async run<Result>(work: (reserve: Reserve) => Promise<Result>): Promise<Result> {
    return this.withReserve((reserve) => this.occupy(() => work(reserve), 0))
  }

  private isFull(): boolean {
    return this.inProgress >= this.concurrency.current
  }

  private async withReserve<Result>(work: (reserve: Reserve) => Promise<Result>): Promise<Result> {
    let reserved = 0
    const reserve = (bytes: number): void => {
      if (this.bytes + bytes > this.limits.bytes) throw overloaded()
      this.bytes += bytes
      reserved += bytes
    }
    try {
      return await work(reserve)
    } finally {
      this.bytes -= reserved
    }
  }

  private async occupy<Result>(work: () => Promise<Result>, pauseMs: number): Promise<Result> {
    if (this.isFull()) throw overloaded()
    this.inProgress += 1
    const startedAt = performance.now()
    let isSlow = false
    try {
      return await work()
    } catch (error) {
      isSlow = error instanceof AppError && (error.code === 'TIMEOUT' || error.code === 'OVERLOADED')
      throw error
    } finally {
      if (this.targetMs !== undefined) {
        isSlow ||= performance.now() - startedAt > this.targetMs + pauseMs
        this.concurrency.record(startedAt, isSlow, this.inProgress)
      }
      this.inProgress -= 1
    }
  }
}

function overloaded(): AppError {
  return new AppError('OVERLOADED', texts.unavailable)
}
