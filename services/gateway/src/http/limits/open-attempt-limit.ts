import { setTimeout as sleep } from 'node:timers/promises'
import { attemptCounted } from '@partsbus/contracts/gateway/commands'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { AttemptLimit } from './attempt-limit.js'

/** How long an answer waits until the bus has the outcome, in ms. */
const FLUSH_WAIT_MS = 200

/** A limit of attempts to sign in whose outcomes are shared with the other gateways. */
export function openAttemptLimit(bus: Pick<BusConnection, 'nc' | 'isUp' | 'reached'>): AttemptLimit {
  const limit = new AttemptLimit(async (attempt) => {
    if (!bus.isUp()) return
    bus.nc.publish(attemptCounted.subject, JSON.stringify(attempt))
    await Promise.race([bus.nc.flush().catch(() => undefined), sleep(FLUSH_WAIT_MS, undefined, { ref: false })])
  })
  const listen = (): void => {
    bus.nc.subscribe(attemptCounted.subject, {
      callback: (error, message) => {
        const attempt = error ? undefined : attemptCounted.payload.safeParse(parse(message.string())).data
        if (attempt) limit.receive(attempt)
      },
    })
  }
  // a bus that refuses the gateway ends the process elsewhere
  bus.reached.then(listen, () => undefined)
  return limit
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
