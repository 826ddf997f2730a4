import type { StockContext } from './context.js'

/** Many times what a change takes; as long as this a change has to wait after a process was killed in the middle of one. */
const LEASE_MS = 4_000

/**
 * Changes of points and storages run one at a time, over all replicas: what one of them checks (that a storage
 * is there, that nothing refers to it, which header values are stored) still holds when it writes.
 * They are made by hand and rare, so waiting for each other costs nobody anything.
 * @throws AppError OVERLOADED when others take longer than the caller waits
 */
export function exclusively<T>(ctx: StockContext, timeLeftMs: number, work: () => Promise<T>): Promise<T> {
  return ctx.leases.withLease('reference-data', { leaseMs: LEASE_MS, waitMs: timeLeftMs }, work)
}
