import { acquireStorageLock, releaseStorageLock, renewStorageLock } from '@partsbus/contracts/administration/commands'
import { Leases } from '@partsbus/platform/async/leases'
import type { AdminContext } from '../admin-context.js'

/** After a gateway was killed during a change, the next one waits this long. */
const LEASE_MS = 4_000
const WAIT_MS = 10_000

type Calls = AdminContext['calls']

/** The lease of the administration service. */
class StorageLease extends Leases {
  constructor(private readonly calls: Calls) {
    super()
  }

  protected async acquire(_name: string, owner: string, leaseMs: number): Promise<boolean> {
    return (await this.calls.request(acquireStorageLock, { owner, lease_ms: leaseMs })).is_held
  }

  protected async renew(_name: string, owner: string, leaseMs: number): Promise<boolean> {
    return (await this.calls.request(renewStorageLock, { owner, lease_ms: leaseMs })).is_held
  }

  protected async release(_name: string, owner: string): Promise<void> {
    await this.calls.request(releaseStorageLock, { owner })
  }
}

/**
 * Deletions of storages, and changes that name a storage in another service, run one at a time, over all gateways: a
 * price list cannot be created while its storage, which nothing referred to a moment ago, is being deleted.
 * @throws AppError OVERLOADED when other changes hold the lock for too long, or UNAVAILABLE while it cannot be taken
 */
export function lockStorages<T>({ calls }: Pick<AdminContext, 'calls'>, change: () => Promise<T>): Promise<T> {
  return new StorageLease(calls).withLease('storages', { leaseMs: LEASE_MS, waitMs: WAIT_MS, isRenewed: true }, change)
}
