import { createHash, randomUUID } from 'node:crypto'
import type { SignInCounted } from '@partsbus/contracts/administration/commands'
import { FailureWindow, rateLimited } from '@partsbus/platform/async/failure-window'
import { addressKey } from '@partsbus/platform/net/address-key'
import { LRUCache } from 'lru-cache'
import { nameKey } from './administrator-store.js'

/** Sends an outcome to the other processes of the service; resolves when the bus has it. */
export type SendAttempt = (attempt: SignInCounted) => Promise<void>

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Failures from one address in a minute that are still answered as such. */
const ADDRESS_FAILURES = 10
/** Failures with one name from one address before the first wait. */
const PAIR_FAILURES = 5
const FIRST_WAIT_MS = 30_000
const LONGEST_WAIT_MS = 15 * MINUTE_MS
/** Failures with one name in an hour, over all addresses, after which it has one attempt a second. */
const NAME_FAILURES = 20
/** Refusals in an hour that the audit log has of one name, and of all names that nobody has together. */
const NAME_RECORDS = 20
const SLOW_INTERVAL_MS = 1_000
const MAX_ENTRIES = 10_000

/** Failures with one name from one address. */
interface Pair {
  failures: number
  failedAt: number
  waitUntil: number
}

/** Failures with one name over all addresses. */
interface Name {
  failedAt: number[]
  startedAt: number
}

/**
 * Slows down guessing of passwords and invitations (admin.md#throttling). Each process counts its own attempts and
 * those that the others report. A name is never locked for good, and where it has signed in from before only the
 * failures there count, so that nobody can lock out an administrator.
 */
export class AttemptLimit {
  private readonly process: string = randomUUID()
  private readonly send: SendAttempt
  private readonly addresses = new FailureWindow(ADDRESS_FAILURES)
  private readonly pairs = new LRUCache<string, Pair>({ max: MAX_ENTRIES })
  private readonly names = new LRUCache<string, Name>({ max: MAX_ENTRIES })
  private readonly recorded = new LRUCache<string, number>({ max: MAX_ENTRIES })
  private readonly recordedNames = new LRUCache<string, number[]>({ max: MAX_ENTRIES })

  constructor(send: SendAttempt) {
    this.send = send
  }

  /** @throws AppError RATE_LIMITED while the address has too many failures */
  assertAddress(address: string | undefined, now = performance.now()): void {
    this.addresses.assertFew(addressKey(address), now)
  }

  /**
   * Checks the address and the name, and counts the start of an attempt.
   * @param name digest of the name
   * @param isKnown the name has signed in from the address before: failures elsewhere do not count
   * @throws AppError RATE_LIMITED
   */
  start(address: string | undefined, name: string, isKnown = false, now = performance.now()): void {
    this.assertAddress(address, now)
    const waitMs = (this.pairs.peek(pairKey(addressKey(address), name))?.waitUntil ?? now) - now
    if (waitMs > 0) throw rateLimited(waitMs)
    if (isKnown) return
    const attempts = this.names.peek(name)
    if (!attempts || attempts.failedAt.filter((at) => at > now - HOUR_MS).length < NAME_FAILURES) return
    const intervalMs = attempts.startedAt + SLOW_INTERVAL_MS - now
    if (intervalMs > 0) throw rateLimited(intervalMs)
    void this.count({ address: addressKey(address), name, outcome: 'started' }, now)
  }

  /** Resolves when the other processes will know. */
  fail(address: string | undefined, name: string | null = null, now = performance.now()): Promise<void> {
    return this.count({ address: addressKey(address), name, outcome: 'failed' }, now)
  }

  /** A success forgets the failures with this name from this address. */
  succeed(address: string | undefined, name: string, now = performance.now()): Promise<void> {
    return this.count({ address: addressKey(address), name, outcome: 'succeeded' }, now)
  }

  /**
   * Whether the refusal is to be recorded in the audit log: once a minute for each address, and not too often for each
   * name, however many addresses there are.
   * @param name digest of the name; null: nobody has it
   */
  shouldRecord(address: string | undefined, name: string | null = null, now = performance.now()): boolean {
    const key = addressKey(address)
    if (now - (this.recorded.peek(key) ?? -Infinity) < MINUTE_MS) return false
    if (this.recentRecords(name, now).length >= NAME_RECORDS) return false
    void this.count({ address: key, name, outcome: 'recorded' }, now)
    return true
  }

  /** Takes in an outcome that another process counted. */
  receive({ process, ...attempt }: SignInCounted, now = performance.now()): void {
    if (process !== this.process) this.apply(attempt, now)
  }

  private count(attempt: Omit<SignInCounted, 'process'>, now: number): Promise<void> {
    this.apply(attempt, now)
    return this.send({ process: this.process, ...attempt })
  }

  private apply({ address, name, outcome }: Omit<SignInCounted, 'process'>, now: number): void {
    if (outcome === 'recorded') {
      this.recorded.set(address, now)
      this.recordedNames.set(name ?? '', [...this.recentRecords(name, now), now])
    }
    if (outcome === 'failed') this.addresses.add(address, now)
    if (name === null) return
    if (outcome === 'succeeded') this.pairs.delete(pairKey(address, name))
    if (outcome === 'started') this.names.set(name, { failedAt: this.names.peek(name)?.failedAt ?? [], startedAt: now })
    if (outcome === 'failed') this.failName(address, name, now)
  }

  private failName(address: string, name: string, now: number): void {
    const before = this.pairs.peek(pairKey(address, name))
    const failures = before && now - before.failedAt < HOUR_MS ? before.failures + 1 : 1
    const doublings = Math.min(failures - PAIR_FAILURES, 10)
    const waitMs = doublings < 0 ? 0 : Math.min(FIRST_WAIT_MS * 2 ** doublings, LONGEST_WAIT_MS)
    this.pairs.set(pairKey(address, name), { failures, failedAt: now, waitUntil: now + waitMs })
    const failedAt = [...(this.names.peek(name)?.failedAt ?? []).slice(1 - NAME_FAILURES), now]
    this.names.set(name, { failedAt, startedAt: now })
  }

  private recentRecords(name: string | null, now: number): number[] {
    return (this.recordedNames.peek(name ?? '') ?? []).filter((at) => at > now - HOUR_MS)
  }
}

function pairKey(address: string, name: string): string {
  return `${address} ${name}`
}

/** The digest by which attempts with a name are counted. */
export function nameDigest(name: string): string {
  return createHash('sha256').update(nameKey(name)).digest('hex').slice(0, 32)
}
