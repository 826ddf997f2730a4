import { requestsCounted } from '@partsbus/contracts/gateway/commands'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { type CountReport, RateLimit } from './rate-limit.js'

/** The rate limit of each token. */
export interface ApiRateLimits {
  erp: RateLimit
  b2b: RateLimit
}

type Report = CountReport & { audience: keyof ApiRateLimits }

/** Rate limits whose counts are shared with the other gateways. While the bus is down each gateway counts alone. */
export function openRateLimits(bus: Pick<BusConnection, 'nc' | 'isUp' | 'reached'>): ApiRateLimits {
  const open = (audience: keyof ApiRateLimits): RateLimit =>
    new RateLimit((report) => {
      const counted: Report = { ...report, audience }
      if (bus.isUp()) bus.nc.publish(requestsCounted.subject, JSON.stringify(counted))
    })
  const limits = { erp: open('erp'), b2b: open('b2b') }
  const listen = (): void => {
    bus.nc.subscribe(requestsCounted.subject, {
      callback: (error, message) => {
        const report = error ? undefined : requestsCounted.payload.safeParse(parse(message.string())).data
        if (report) limits[report.audience].receive(report)
      },
    })
  }
  // a bus that refuses the gateway ends the process elsewhere
  bus.reached.then(listen, () => undefined)
  return limits
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
