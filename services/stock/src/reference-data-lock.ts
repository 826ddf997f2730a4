import { Injectable } from '@nestjs/common'
import { LeaseStore } from '@partsbus/platform/mongo/lease-store'

/** Far longer than a change takes; after a process was killed during one, the next change waits this long. */
const LEASE_MS = 4_000

/**
 * Changes of pick-up points and storages run one at a time, over all replicas: what a change checks (that a storage
 * exists, that nothing refers to it, which header values are stored) still holds when it writes.
 * They are made by hand and rare, so the wait costs nothing.
 */
@Injectable()
export class ReferenceDataLock {
  constructor(private readonly leases: LeaseStore) {}

  /** @throws AppError OVERLOADED when other changes hold the lock for longer than `timeLeftMs` */
  run<T>(timeLeftMs: number, change: () => Promise<T>): Promise<T> {
    return this.leases.withLease('reference-data', { leaseMs: LEASE_MS, waitMs: timeLeftMs }, change)
  }
}
