import { setTimeout as sleep } from 'node:timers/promises'
import { signInCounted } from '@partsbus/contracts/administration/commands'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { AttemptLimit } from './attempt-limit.js'

/** How long an answer waits until the bus has the outcome, in ms. */
const FLUSH_WAIT_MS = 200

/** A limit of attempts to sign in whose outcomes are shared with the other processes of the service. */
export function openAttemptLimit(bus: BusConnection): AttemptLimit {
  const limit = new AttemptLimit(async (attempt) => {
    if (!bus.isUp()) return
    bus.nc.publish(signInCounted.subject, JSON.stringify(attempt))
    await Promise.race([bus.nc.flush().catch(() => undefined), sleep(FLUSH_WAIT_MS, undefined, { ref: false })])
  })
  bus.nc.subscribe(signInCounted.subject, {
    callback: (error, message) => {
      const attempt = error ? undefined : signInCounted.payload.safeParse(parse(message.string())).data
      if (attempt) limit.receive(attempt)
    },
  })
  return limit
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
