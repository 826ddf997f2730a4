import { requestsCounted } from '@partsbus/contracts/gateway/commands'
import { announce, onAnnouncement } from '@partsbus/platform/bus/announce'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { RateLimit } from '@partsbus/http-guard/rate-limit'

/** The rate limit of each token. */
export interface ApiRateLimits {
  erp: RateLimit
  b2b: RateLimit
}

/** Rate limits whose counts are shared with the other gateways. While the bus is down each gateway counts alone. */
export function openRateLimits(bus: Pick<BusConnection, 'nc' | 'isUp' | 'reached'>): ApiRateLimits {
  const open = (audience: keyof ApiRateLimits): RateLimit =>
    new RateLimit((report) => announce(bus, requestsCounted, { ...report, audience }))
  const limits = { erp: open('erp'), b2b: open('b2b') }
  onAnnouncement(bus, requestsCounted, (report) => limits[report.audience].receive(report))
  return limits
}
