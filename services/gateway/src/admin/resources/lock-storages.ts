import type { AdminContext } from '../admin-context.js'

/** After a gateway was killed during a change, the next one waits this long. */
const LEASE_MS = 4_000
const WAIT_MS = 10_000

/**
 * Deletions of storages, and changes that name a storage in another service, run one at a time, over all gateways: a
 * price list cannot be created while its storage, which nothing referred to a moment ago, is being deleted.
 * @throws AppError OVERLOADED when other changes hold the lock for too long, or UNAVAILABLE while the database is down
 */
export async function lockStorages<T>(
  ctx: Pick<AdminContext, 'leases' | 'mongo'>,
  change: () => Promise<T>,
): Promise<T> {
  const unavailable = ctx.mongo.unavailable()
  if (unavailable) throw unavailable
  return ctx.leases.withLease('storages', { leaseMs: LEASE_MS, waitMs: WAIT_MS, isRenewed: true }, change)
}
