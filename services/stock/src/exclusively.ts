import type { StockContext } from './context.js'

const LEASE_MS = 10_000

/**
 * Changes of points and storages run one at a time, over all replicas: what one of them checks (that a storage
 * is there, that nothing refers to it, which header values are stored) still holds when it writes.
 * They are made by hand and rare, so waiting for each other costs nobody anything.
 * @throws AppError OVERLOADED when others take longer than the caller waits
 */
export function exclusively<T>(ctx: StockContext, timeLeftMs: number, work: () => Promise<T>): Promise<T> {
  return ctx.leases.withLease('reference-data', { leaseMs: LEASE_MS, waitMs: Math.min(timeLeftMs, LEASE_MS) }, work)
}
