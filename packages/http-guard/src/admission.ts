import { AppError, texts } from '@partsbus/contracts/app-error'
import { Counts } from '@partsbus/platform/async/counts'
import { ConcurrencyLimit } from './concurrency-limit.js'
import { SlotQueue } from './slot-queue.js'

export interface AdmissionLimits {
  /** requests that a service works on at once */
  requests: number
  /** those that are always admitted, however slow the services are; default: 8 */
  min?: number
  /** those before anything was measured; default: `requests` */
  initial?: number
  /** requests whose body is still arriving; default: as many as `requests` */
  arriving?: number
  /** how many of the `requests`, and of those that wait, one caller may have; default: all */
  ofOne?: number
  /** bytes of bodies and responses held in memory */
  bytes: number
  /** with a target, fewer than `requests` are admitted while the services take longer than this */
  target?: {
    /** ms of a request without a body */
    ms: number
    /** ms for each MiB of its body */
    msPerMib: number
  }
  /** ms for which a request may have to wait for a slot; default 0 */
  maxWaitMs?: number
}

/** Of one request. */
interface Admitted<Body> {
  /** who shares a bound with others: a session, an address (rules.md#overload); absent: the bound has one user */
  caller?: string | undefined
  /** time that the work may spend waiting for others than our services, like hosts of images */
  pauseMs?: (body: Body) => number
}

/** Reserves memory. @throws AppError OVERLOADED beyond the memory of the API */
export type Reserve = (bytes: number) => void

const MIN_REQUESTS = 8
const MIB = 1024 * 1024
/** The duration at which timeouts and refusals of overloaded services are counted, in multiples of the target. */
const OVERLOAD_PRESSURE = 2

/**
 * Admission control of one API (rules.md#overload). Each API has an instance of its own, so that overload of one does
 * not refuse requests of another. A request goes through arriving → waiting → in progress → finished. Its body counts
 * the bytes that have arrived, and it occupies a slot of a service only when the body is complete: clients that send
 * slowly, or announce a body and send nothing, use up `arriving` alone. As many requests are in progress as the
 * services finish in about the target time; a short burst above that waits here instead of in the database, where it
 * would slow the other APIs too. What would wait for longer is refused at once
 * (docs/decisions/0028-admission.md).
 */
export class Admission {
  private readonly limits: Required<Pick<AdmissionLimits, 'requests' | 'arriving' | 'ofOne' | 'bytes'>>
  private readonly target: AdmissionLimits['target']
  private readonly concurrency: ConcurrencyLimit
  private readonly queue: SlotQueue
  /** requests that wait or are in progress, by caller */
  private readonly held = new Counts()
  private arriving = 0
  private inProgress = 0
  private bytes = 0

  constructor(limits: AdmissionLimits) {
    const { requests, min = MIN_REQUESTS, initial = requests, arriving = requests, ofOne = Infinity, bytes } = limits
    this.limits = { requests, arriving, ofOne, bytes }
    this.target = limits.target
    this.concurrency = new ConcurrencyLimit({ initial, min: Math.min(min, requests), max: requests })
    this.queue = new SlotQueue(limits.maxWaitMs ?? 0)
  }

  /**
   * Receives a body, then does the work.
   * @throws AppError OVERLOADED at once when there is no capacity, or the caller has used up its share
   */
  async receive<Body extends Uint8Array, Result>(
    read: (reserve: Reserve) => Promise<Body>,
    work: (body: Body) => Promise<Result>,
    { caller, pauseMs }: Admitted<Body> = {},
  ): Promise<Result> {
    if (this.arriving >= this.limits.arriving || !this.hasCapacity(caller)) throw overloaded()
    return this.withReserve(async (reserve) => {
      this.arriving += 1
      const body = await read(reserve).finally(() => {
        this.arriving -= 1
      })
      return this.occupy(() => work(body), { caller, bodyBytes: body.length, pauseMs: pauseMs?.(body) })
    })
  }

  /** Does work that needs no body. @throws AppError OVERLOADED as {@link receive} */
  async run<Result>(work: (reserve: Reserve) => Promise<Result>, caller?: string): Promise<Result> {
    return this.withReserve((reserve) => this.occupy(() => work(reserve), { caller }))
  }

  private hasSlot(): boolean {
    return this.inProgress < this.concurrency.current
  }

  private hasCapacity(caller: string | undefined): boolean {
    if (caller !== undefined && this.held.of(caller) >= this.limits.ofOne) return false
    return (this.queue.length === 0 && this.hasSlot()) || this.queue.mayJoin()
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

  private async occupy<Result>(
    work: () => Promise<Result>,
    request: { caller: string | undefined; bodyBytes?: number; pauseMs?: number | undefined },
  ): Promise<Result> {
    const { caller } = request
    if (!this.hasCapacity(caller)) throw overloaded()
    if (caller === undefined) return this.inTurn(work, request)
    this.held.add(caller)
    try {
      return await this.inTurn(work, request)
    } finally {
      this.held.add(caller, -1)
    }
  }

  private async inTurn<Result>(
    work: () => Promise<Result>,
    { bodyBytes = 0, pauseMs = 0 }: { bodyBytes?: number; pauseMs?: number | undefined },
  ): Promise<Result> {
    // a freed slot belongs to the request that it is given to before that one continues
    if (this.queue.length === 0 && this.hasSlot()) this.inProgress += 1
    else if (!(await this.queue.join())) throw overloaded()
    const startedAt = performance.now()
    let pressure = 0
    try {
      return await work()
    } catch (error) {
      if (error instanceof AppError && (error.code === 'TIMEOUT' || error.code === 'OVERLOADED'))
        pressure = OVERLOAD_PRESSURE
      throw error
    } finally {
      if (this.target) {
        const { ms, msPerMib } = this.target
        const target = ms + (msPerMib * bodyBytes) / MIB + pauseMs
        this.concurrency.record(
          startedAt,
          Math.max(pressure, (performance.now() - startedAt) / target),
          this.inProgress,
        )
      }
      this.leave()
    }
  }

  private leave(): void {
    this.inProgress -= 1
    this.queue.recordFreed()
    while (this.hasSlot() && this.queue.proceed()) this.inProgress += 1
  }
}

function overloaded(): AppError {
  return new AppError('OVERLOADED', texts.unavailable)
}
