import { STORAGE_LEASE, storageLeaseKeeper } from '@partsbus/contracts/administration/storage-lease'
import { withRemoteLease } from '@partsbus/platform/async/remote-lease'
import type { AdminContext } from '../admin-context.js'

/**
 * Deletions of storages, and changes that name a storage in another service, run one at a time, over all gateways: a
 * price list cannot be created while its storage, which nothing referred to a moment ago, is being deleted.
 * @throws AppError OVERLOADED when other changes hold the lock for too long, or UNAVAILABLE while it cannot be taken
 */
export function lockStorages<T>({ calls }: Pick<AdminContext, 'calls'>, change: () => Promise<T>): Promise<T> {
  return withRemoteLease(storageLeaseKeeper(calls), STORAGE_LEASE, change)
}
