import { LRUCache } from 'lru-cache'
import { callingSpan, traceShared } from '../process/spans.js'
import type { BusConnection } from './connection.js'

/*
 * A cached value is valid until an invalidation arrives, and for one second at most.
 * fresh → being refreshed (a query comes after 600 ms) → replaced by a value read since; or expired → read again
 * A writer writes, publishes the invalidation, waits until the server has received it, and only then answers. One
 * server delivers messages in the order in which it received them, so a request sent after that answer arrives after
 * the invalidation. Servers of a cluster guarantee no such order; there the writer waits for the second to pass.
 */

/** Maximum time in milliseconds that stale data may be served after a process died before invalidating the cache. */
const MAX_AGE_MS = 1_000
/** A value of this age is read again in the background by the next query, so that under load no query waits for it. */
const REFRESH_AFTER_MS = 600
const MAX_ENTRIES = 1_000

/** Publishes an invalidation. Resolves when no request sent from now on can be answered from stale data. */
export async function publishInvalidation(bus: Pick<BusConnection, 'nc' | 'isUp'>, subject: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const waited = new Promise<void>((done) => {
    timer = setTimeout(done, MAX_AGE_MS + 50)
  })
  if (!bus.isUp() || bus.nc.info?.cluster) return waited
  bus.nc.publish(subject)
  // a connection that is lost now may not have delivered it
  await Promise.race([bus.nc.flush().catch(() => waited), waited])
  clearTimeout(timer)
}

interface Entry<Value> {
  value: Value
  generation: number
  /** when the read began */
  at: number
  isRefreshing: boolean
}

/** Values read within the last second, unless an invalidation arrived since the read began. */
export class InvalidatedCache<Value> {
  private readonly bus: Pick<BusConnection, 'isUp'>
  private readonly now: () => number
  private readonly entries = new LRUCache<string, Entry<Value>>({ max: MAX_ENTRIES })
  private generation = 0

  /** @param now milliseconds of a clock that never goes back */
  constructor(
    bus: Pick<BusConnection, 'nc' | 'isUp' | 'onLoss'>,
    subject: string,
    now: () => number = () => performance.now(),
  ) {
    this.bus = bus
    this.now = now
    const invalidate = (): void => {
      this.generation += 1
    }
    bus.nc.subscribe(subject, { callback: invalidate })
    // invalidations published while the connection is lost do not arrive
    bus.onLoss(invalidate)
  }

  /** @param refresh reads the value again by {@link read}; it belongs to no request, and may fail */
  get(key: string, refresh?: () => Promise<unknown>): Value | undefined {
    const entry = this.entries.get(key)
    if (!entry) return undefined
    const age = this.now() - entry.at
    if (entry.generation !== this.generation || age > MAX_AGE_MS) {
      this.entries.delete(key)
      return undefined
    }
    if (refresh && age > REFRESH_AFTER_MS && !entry.isRefreshing) {
      entry.isRefreshing = true
      traceShared('cache.refresh', () => [callingSpan()], refresh).catch(() => undefined)
    }
    return entry.value
  }

  /** Reads a value and caches it. */
  async read(key: string, read: () => Promise<Value>): Promise<Value> {
    const { generation } = this
    const isConnected = this.bus.isUp()
    const at = this.now()
    const value = await read()
    if (isConnected && generation === this.generation)
      this.entries.set(key, { value, generation, at, isRefreshing: false })
    return value
  }
}
