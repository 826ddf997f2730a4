import { STORAGE_LEASE, storageLeaseKeeper } from '@partsbus/contracts/administration/storage-lease'
import { withRemoteLease } from '@partsbus/platform/async/remote-lease'
import type { AdminContext } from '../admin-context.js'

/**
 * Deletions of what another service may refer to, and changes that refer to it, run one at a time, over all gateways: a
 * price list cannot be created while its storage, which nothing referred to a moment ago, is being deleted. Changes of
 * settings take the lease in their service.
 * @throws AppError OVERLOADED when other changes hold the lock for too long, or UNAVAILABLE while it cannot be taken
 */
export function lockStorages<T>({ calls }: Pick<AdminContext, 'calls'>, change: () => Promise<T>): Promise<T> {
  return withRemoteLease(storageLeaseKeeper(calls), STORAGE_LEASE, change)
}
