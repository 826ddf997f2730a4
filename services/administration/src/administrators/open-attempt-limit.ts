import { signInCounted } from '@partsbus/contracts/administration/commands'
import { announceAndFlush, onAnnouncement } from '@partsbus/platform/bus/announce'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { AttemptLimit } from './attempt-limit.js'

/** A limit of attempts to sign in whose outcomes are shared with the other processes of the service. */
export function openAttemptLimit(bus: BusConnection): AttemptLimit {
  const limit = new AttemptLimit((attempt) => announceAndFlush(bus, signInCounted, attempt))
  onAnnouncement(bus, signInCounted, (attempt) => limit.receive(attempt))
  return limit
}
