import { availableParallelism } from 'node:os'

/** An API is present for so long after its last request, in ms. */
const PRESENT_MS = 5_000
const WINDOW_MS = 500
/** A request is slow when it takes this many times its usual time, and so many ms more. */
const SLOW_RATIO = 1.5
const NOISE_MS = 3
/** One request that waited for a lock says as much as a few times its usual time. */
const MAX_RATIO = 8
const REDUCTION = 0.7
/** How quickly the usual time of a kind of request follows shorter and longer ones. */
const FALL = 0.3
const RISE = 0.05

export interface ShareOptions {
  /** requests in progress that an API always may have, however slow the others are */
  min: number
  /** is reduced only when no other API uses more than its minimum; default: false */
  isUrgent?: boolean
  /** a request that takes longer waits for others or reads much, and must not block those that are short, in ms */
  holdMs?: number
}

/**
 * Divides the machine among the APIs of this process, so that a flood at one of them does not slow the others. An API
 * that is alone is not limited here. While others are present, an API starts with as many requests in progress as there
 * are processors; it gets one more in each window in which the requests of the others took their usual time, and 30 %
 * less in each in which they were slow, down to its minimum (docs/decisions/0028-admission.md).
 */
export class CapacityShares {
  private readonly shares: CapacityShare[] = []
  private readonly parallelism: number
  private windowStart = -Infinity

  constructor(parallelism = availableParallelism()) {
    this.parallelism = parallelism
  }

  open(options: ShareOptions): CapacityShare {
    const share = new CapacityShare(this, options, this.parallelism)
    this.shares.push(share)
    return share
  }

  isAlone(share: CapacityShare, now: number): boolean {
    return this.shares.every((other) => other === share || !other.isPresent(now))
  }

  /** Adjusts the limits when a window is over. */
  advance(now: number): void {
    if (now - this.windowStart < WINDOW_MS) return
    const isFirst = this.windowStart === -Infinity
    this.windowStart = now
    const slow = this.shares.filter((share) => share.isSlowed())
    const isMeasured = this.shares.some((share) => share.isMeasured())
    const isCalm = this.shares.every((share) => !share.wasFull)
    const surplus = this.shares.filter((share) => share.usesSurplus())
    const common = surplus.filter((share) => !share.isUrgent)
    const culprits = common.length > 0 ? common : surplus
    for (const share of this.shares) {
      if (this.isAlone(share, now)) share.reset()
      else if (slow.some((other) => other !== share)) {
        if (culprits.includes(share)) share.reduce()
      } else if (!isFirst && isMeasured) share.grow()
    }
    for (const share of this.shares) share.startWindow(isCalm)
  }
}

/** The part of the machine that one API may use. */
export class CapacityShare {
  readonly isUrgent: boolean
  private readonly all: CapacityShares
  private readonly min: number
  private readonly holdMs: number | undefined
  private readonly initial: number
  private limit: number
  private occupied = 0
  private peak = 0
  private seenAt = -Infinity
  private isFull = false
  private readonly usual = new Map<string, number>()
  private measured: Array<{ kind: string; ms: number }> = []

  constructor(all: CapacityShares, { min, isUrgent = false, holdMs }: ShareOptions, parallelism: number) {
    this.all = all
    this.min = min
    this.initial = Math.max(min, parallelism)
    this.limit = this.initial
    this.isUrgent = isUrgent
    this.holdMs = holdMs
  }

  /** Whether one more request may be in progress; its API is present from now on. */
  hasRoom(now = performance.now()): boolean {
    this.all.advance(now)
    this.seenAt = now
    if (this.all.isAlone(this, now) || this.occupied < Math.floor(this.limit)) return true
    this.isFull = true
    return false
  }

  /**
   * Counts a request as in progress.
   * @param onRoom is called when it no longer counts although it has not finished
   * @param holdMs the longest time for which it counts
   * @returns a function to call when it has finished
   */
  enter(onRoom: () => void, holdMs = this.holdMs): () => void {
    this.occupied += 1
    this.peak = Math.max(this.peak, this.occupied)
    let counts = true
    const leave = (): void => {
      if (counts) this.occupied -= 1
      counts = false
    }
    if (holdMs === undefined) return leave
    const timer = setTimeout(() => {
      leave()
      onRoom()
    }, holdMs).unref()
    return () => {
      clearTimeout(timer)
      leave()
    }
  }

  /**
   * Records the time of a request that succeeded.
   * @param kind requests of one kind usually take the same time
   */
  record(kind: string, ms: number): void {
    this.measured.push({ kind, ms })
  }

  /** Whether an API has had a request in the last seconds. */
  isPresent(now: number): boolean {
    return this.occupied > 0 || now - this.seenAt < PRESENT_MS
  }

  get wasFull(): boolean {
    return this.isFull
  }

  isMeasured(): boolean {
    return this.measured.length > 0
  }

  usesSurplus(): boolean {
    return this.peak > this.min
  }

  /** Whether requests took longer than usual, for another reason than that this API sends many of them. */
  isSlowed(): boolean {
    if (this.isFull || this.measured.length === 0) return false
    let ratios = 0
    let excess = 0
    for (const { kind, ms } of this.measured) {
      const usual = this.usual.get(kind) ?? ms
      ratios += Math.min(MAX_RATIO, ms / usual)
      excess += ms - usual
    }
    return ratios / this.measured.length > SLOW_RATIO && excess / this.measured.length > NOISE_MS
  }

  reset(): void {
    this.limit = this.initial
  }

  reduce(): void {
    this.limit = Math.max(this.min, Math.min(this.limit, this.peak) * REDUCTION)
  }

  /** An unused limit does not grow. */
  grow(): void {
    if (this.isFull) this.limit += 1
  }

  /** @param isCalm whether no API was limited: only then may longer times become the usual ones */
  startWindow(isCalm: boolean): void {
    for (const { kind, ms } of this.measured) {
      const usual = this.usual.get(kind)
      if (usual === undefined) this.usual.set(kind, ms)
      else if (ms < usual) this.usual.set(kind, usual + (ms - usual) * FALL)
      else if (isCalm) this.usual.set(kind, usual + (ms - usual) * RISE)
    }
    this.measured = []
    this.peak = this.occupied
    this.isFull = false
  }
}
