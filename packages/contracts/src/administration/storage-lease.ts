import type { Command, ReplyOf, RequestOf } from '../message.js'
import { acquireStorageLock, releaseStorageLock, renewStorageLock } from './commands.js'

interface Calls {
  request<C extends Command>(command: C, body: RequestOf<C>): Promise<ReplyOf<C>>
}

/** After a holder was killed during a change, the next one waits that long. */
export const STORAGE_LEASE = { leaseMs: 4_000, waitMs: 10_000, isRenewed: true } as const

/** How the lease of changes that name storages is taken, renewed and given back: the service keeps it. */
export const storageLeaseKeeper = (calls: Calls) => ({
  acquire: async (owner: string, leaseMs: number) =>
    (await calls.request(acquireStorageLock, { owner, lease_ms: leaseMs })).is_held,
  renew: async (owner: string, leaseMs: number) =>
    (await calls.request(renewStorageLock, { owner, lease_ms: leaseMs })).is_held,
  release: async (owner: string) => void (await calls.request(releaseStorageLock, { owner })),
})
