import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, texts } from '@partsbus/contracts/errors'
import type { Collection } from 'mongodb'
import { isDuplicateKey } from './errors.js'

/*
 * A lease is free when `until` has passed by the database's clock.
 * missing → free (first use) → held (acquire) → free (release, or time runs out).
 * A holder that was frozen past `until` may overlap with the next one. Its signal is aborted as soon as it can know,
 * so work that must not overlap checks the signal before each step.
 */
interface LeaseDocument {
  _id: string
  /** empty once released, so that a renewal still under way does not revive the lease */
  owner: string
  until: Date
}

export interface LeaseOptions {
  leaseMs: number
  /** longest time to wait for another holder */
  waitMs: number
  /** renews the lease while the work runs; when the process dies the lease expires after `leaseMs` */
  isRenewed?: boolean
}

export class LeaseStore {
  private readonly leases: Collection<LeaseDocument>
  private readonly created = new Set<string>()

  constructor(leases: Collection<LeaseDocument>) {
    this.leases = leases
  }

  /**
   * Runs `work` while holding the lease `name`.
   * @param work its signal is aborted when the lease was lost: it expired, or another holder has it
   * @throws AppError OVERLOADED when others hold the lease for `waitMs`
   */
  async withLease<T>(name: string, options: LeaseOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { leaseMs, waitMs, isRenewed } = options
    const owner = randomUUID()
    const end = performance.now() + waitMs
    while (!(await this.acquire(name, owner, leaseMs))) {
      if (performance.now() > end) throw new AppError('OVERLOADED', texts.unavailable)
      await sleep(5 + Math.random() * 30)
    }
    const lost = new AbortController()
    const lose = (): void => lost.abort(new AppError('OVERLOADED', texts.unavailable))
    const timer = isRenewed
      ? setInterval(() => void this.renew(name, owner, leaseMs, lose), leaseMs / 3)
      : setTimeout(lose, leaseMs)
    try {
      return await work(lost.signal)
    } finally {
      clearTimeout(timer)
      // a lease that could not be released expires; the result of the work is valid
      await this.release(name, owner).catch(() => undefined)
    }
  }

  private async renew(name: string, owner: string, leaseMs: number, lose: () => void): Promise<void> {
    try {
      const { matchedCount } = await this.leases.updateOne({ _id: name, owner }, [
        { $set: { until: { $add: ['$$NOW', leaseMs] } } },
      ])
      if (matchedCount === 0) lose()
    } catch {
      // while the database is down nobody else can acquire the lease either
    }
  }

  private async release(name: string, owner: string): Promise<void> {
    await this.leases.updateOne({ _id: name, owner }, { $set: { owner: '', until: new Date(0) } })
  }

  private async acquire(name: string, owner: string, leaseMs: number): Promise<boolean> {
    await this.create(name)
    const acquired = await this.leases.findOneAndUpdate({ _id: name, $expr: { $lt: ['$until', '$$NOW'] } }, [
      { $set: { owner: { $literal: owner }, until: { $add: ['$$NOW', leaseMs] } } },
    ])
    return acquired !== null
  }

  /** Creates the lease at its first use: an upsert cannot compare with the database's clock. */
  private async create(name: string): Promise<void> {
    if (this.created.has(name)) return
    await this.leases.insertOne({ _id: name, owner: '', until: new Date(0) }).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error
    })
    this.created.add(name)
  }
}
