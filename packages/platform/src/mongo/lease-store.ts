import { randomUUID } from 'node:crypto'
import { AppError, texts } from '@partsbus/contracts/errors'
import type { Collection } from 'mongodb'
import { isDuplicateKey } from './errors.js'
import { setTimeout as sleep } from 'node:timers/promises'

/*
 * A lease is free when `until` has passed by the database's clock. missing → free (first use) → held (take)
 * → free (release, or time runs out). A holder that was frozen past `until` may meet a
 * second holder, so work under a lease checks `until` before each step it must not share.
 */
interface LeaseDocument {
  _id: string
  owner: string
  until: Date
}

export class LeaseStore {
  private readonly leases: Collection<LeaseDocument>
  private readonly created = new Set<string>()

  constructor(leases: Collection<LeaseDocument>) {
    this.leases = leases
  }

  /**
   * Runs `work` while holding the lease `name`, waiting for it at most `waitMs`.
   * @param options.isRenewed holds it for as long as the work takes; a process that dies gives it back after `leaseMs`
   * @throws AppError OVERLOADED when others hold it for that long
   */
  async withLease<T>(
    name: string,
    options: { leaseMs: number; waitMs: number; isRenewed?: boolean },
    work: () => Promise<T>,
  ): Promise<T> {
    const owner = randomUUID()
    const end = Date.now() + options.waitMs
    while (!(await this.take(name, owner, options.leaseMs))) {
      if (Date.now() > end) throw new AppError('OVERLOADED', texts.unavailable)
      await sleep(5 + Math.random() * 30)
    }
    const timer = options.isRenewed
      ? setInterval(() => void this.renew(name, owner, options.leaseMs), options.leaseMs / 3)
      : undefined
    try {
      return await work()
    } finally {
      clearInterval(timer)
      await this.leases.updateOne({ _id: name, owner }, { $set: { until: new Date(0) } })
    }
  }

  /** A database that is away cannot give the lease to another either. */
  private async renew(name: string, owner: string, leaseMs: number): Promise<void> {
    await this.leases
      .updateOne({ _id: name, owner }, [{ $set: { until: { $add: ['$$NOW', leaseMs] } } }])
      .catch(() => undefined)
  }

  private async take(name: string, owner: string, leaseMs: number): Promise<boolean> {
    await this.create(name)
    const taken = await this.leases.findOneAndUpdate({ _id: name, $expr: { $lt: ['$until', '$$NOW'] } }, [
      { $set: { owner: { $literal: owner }, until: { $add: ['$$NOW', leaseMs] } } },
    ])
    return taken !== null
  }

  /** Makes the lease at its first use: an upsert may not compare with the database's clock, nor may a query on no collection. */
  private async create(name: string): Promise<void> {
    if (this.created.has(name)) return
    await this.leases.insertOne({ _id: name, owner: '', until: new Date(0) }).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error
    })
    this.created.add(name)
  }
}
