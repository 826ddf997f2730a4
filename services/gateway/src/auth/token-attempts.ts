import { randomUUID } from 'node:crypto'
import { type AttemptCounted, attemptCounted } from '@partsbus/contracts/gateway/commands'
import { FailureWindow } from '@partsbus/platform/async/failure-window'
import { announceAndFlush, onAnnouncement } from '@partsbus/platform/bus/announce'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { addressKey } from '@partsbus/platform/net/address-key'

/** Wrong tokens from one address in a minute that are still answered as such. */
const ADDRESS_FAILURES = 10

/** Sends a failure to the other gateways; resolves when the bus has it. */
export type SendAttempt = (attempt: AttemptCounted) => Promise<void>

/**
 * Slows down guessing of ADMIN_TOKEN as a bearer token (admin.md#throttling). Each gateway counts its own failures and
 * those that the others report; while the bus is down each counts alone.
 */
export class TokenAttempts {
  private readonly gateway: string = randomUUID()
  private readonly failures = new FailureWindow(ADDRESS_FAILURES)
  private readonly send: SendAttempt

  constructor(send: SendAttempt) {
    this.send = send
  }

  /** @throws AppError RATE_LIMITED while the address has too many failures */
  assertFew(address: string | undefined, now = performance.now()): void {
    this.failures.assertFew(keyOf(address), now)
  }

  /** Resolves when the other gateways will know. */
  fail(address: string | undefined, now = performance.now()): Promise<void> {
    const key = keyOf(address)
    this.failures.add(key, now)
    return this.send({ gateway: this.gateway, address: key, name: null, outcome: 'failed' })
  }

  /** Takes in a failure that another gateway counted. */
  receive({ gateway, address, outcome }: AttemptCounted, now = performance.now()): void {
    if (gateway !== this.gateway && outcome === 'failed') this.failures.add(address, now)
  }
}

/** Gateways of version 0.1 report sign-ins as well, by the address alone. */
function keyOf(address: string | undefined): string {
  return `${addressKey(address)} token`
}

/** Attempts that are shared with the other gateways. */
export function openTokenAttempts(bus: Pick<BusConnection, 'nc' | 'isUp' | 'reached'>): TokenAttempts {
  const attempts = new TokenAttempts((attempt) => announceAndFlush(bus, attemptCounted, attempt))
  onAnnouncement(bus, attemptCounted, (attempt) => attempts.receive(attempt))
  return attempts
}
