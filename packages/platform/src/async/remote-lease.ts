import { type LeaseOptions, Leases } from './leases.js'

/** Where a lease is kept: in another process. */
export interface LeaseKeeper {
  /** @returns false while another holder has it */
  acquire(owner: string, leaseMs: number): Promise<boolean>
  /** @returns false when another holder has it */
  renew(owner: string, leaseMs: number): Promise<boolean>
  release(owner: string): Promise<void>
}

/** One lease that another process keeps. */
class RemoteLease extends Leases {
  constructor(private readonly keeper: LeaseKeeper) {
    super()
  }

  protected acquire(_name: string, owner: string, leaseMs: number): Promise<boolean> {
    return this.keeper.acquire(owner, leaseMs)
  }

  protected renew(_name: string, owner: string, leaseMs: number): Promise<boolean> {
    return this.keeper.renew(owner, leaseMs)
  }

  protected release(_name: string, owner: string): Promise<void> {
    return this.keeper.release(owner)
  }
}

/**
 * Runs `work` while holding the lease.
 * @throws AppError OVERLOADED when others hold it for `waitMs`, or the error of the keeper
 */
export function withRemoteLease<T>(
  keeper: LeaseKeeper,
  options: LeaseOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return new RemoteLease(keeper).withLease('', options, work)
}
