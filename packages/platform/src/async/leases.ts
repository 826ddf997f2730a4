import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, texts } from '@partsbus/contracts/app-error'

/*
 * missing → free (first use) → held (acquire) → free (release, or time runs out).
 * A holder that was frozen past the end may overlap with the next one. Its signal is aborted as soon as it can know, at
 * the latest when `leaseMs` have passed since it sent the last renewal that succeeded: it may be cut off from a primary
 * that others reach. So work that must not overlap checks the signal before each step.
 */
export interface LeaseOptions {
  leaseMs: number
  /** longest time to wait for another holder */
  waitMs: number
  /** renews the lease while the work runs; when the process dies the lease expires after `leaseMs` */
  isRenewed?: boolean
}

/** Leases by name, wherever they are kept. */
export abstract class Leases {
  /**
   * Runs `work` while holding the lease `name`.
   * @param work its signal is aborted when the lease was lost: it expired, or another holder has it
   * @throws AppError OVERLOADED when others hold the lease for `waitMs`
   */
  async withLease<T>(name: string, options: LeaseOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { leaseMs, waitMs, isRenewed } = options
    const owner = randomUUID()
    const end = performance.now() + waitMs
    let sent = performance.now()
    while (!(await this.acquire(name, owner, leaseMs))) {
      if (performance.now() > end) throw new AppError('OVERLOADED', texts.unavailable)
      await sleep(5 + Math.random() * 30)
      sent = performance.now()
    }
    const lost = new AbortController()
    let renewals: NodeJS.Timeout | undefined
    const lose = (): void => {
      // work that does not heed its signal, or takes long to end, must not keep the lease from the next holder
      clearInterval(renewals)
      lost.abort(new AppError('OVERLOADED', texts.unavailable))
    }
    const expireAfter = (since: number): NodeJS.Timeout => setTimeout(lose, since + leaseMs - performance.now())
    let expiry = expireAfter(sent)
    let renewedAt = sent
    let isOver = false
    const renew = async (): Promise<void> => {
      const since = performance.now()
      // a failed one is repeated until the lease expires
      const isHeld = await this.renew(name, owner, leaseMs).catch(() => undefined)
      // of two that overlap, the answer of the older one may come last
      if (isHeld === undefined || isOver || (isHeld && since < renewedAt)) return
      clearTimeout(expiry)
      renewedAt = since
      if (isHeld) expiry = expireAfter(since)
      else lose()
    }
    if (isRenewed) renewals = setInterval(() => void renew(), leaseMs / 3)
    try {
      return await work(lost.signal)
    } finally {
      isOver = true
      clearInterval(renewals)
      clearTimeout(expiry)
      // a lease that could not be released expires; the result of the work is valid
      await this.release(name, owner).catch(() => undefined)
    }
  }

  /** @returns false while another holder has it */
  protected abstract acquire(name: string, owner: string, leaseMs: number): Promise<boolean>

  /** @returns false when another holder has it */
  protected abstract renew(name: string, owner: string, leaseMs: number): Promise<boolean>

  protected abstract release(name: string, owner: string): Promise<void>
}
