import { Controller } from '@nestjs/common'
import { acquireStorageLock, releaseStorageLock, renewStorageLock } from '@partsbus/contracts/administration/commands'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { LeaseStore } from '@partsbus/platform/mongo/lease-store'

/** Name of the lease. */
export const STORAGE_LOCK = 'storages'

/** A lease that gateways take for changes in two services (admin.md#references). */
@Controller()
export class StorageLock {
  constructor(private readonly leases: LeaseStore) {}

  @Handles(acquireStorageLock)
  async acquireStorageLock({ body }: CallOf<typeof acquireStorageLock>) {
    return { is_held: await this.leases.acquire(STORAGE_LOCK, body.owner, body.lease_ms) }
  }

  @Handles(renewStorageLock)
  async renewStorageLock({ body }: CallOf<typeof renewStorageLock>) {
    return { is_held: await this.leases.renew(STORAGE_LOCK, body.owner, body.lease_ms) }
  }

  @Handles(releaseStorageLock)
  async releaseStorageLock({ body }: CallOf<typeof releaseStorageLock>) {
    await this.leases.release(STORAGE_LOCK, body.owner)
    return {}
  }
}
