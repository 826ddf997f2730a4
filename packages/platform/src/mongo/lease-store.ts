import type { Collection } from 'mongodb'
import { Leases } from '../async/leases.js'
import { isDuplicateKey } from './errors.js'

/** A lease is free when `until` has passed by the database's clock. */
interface LeaseDocument {
  _id: string
  /** empty once released, so that a renewal still under way does not revive the lease */
  owner: string
  until: Date
}

/** Leases in a collection. */
export class LeaseStore extends Leases {
  private readonly leases: Collection<LeaseDocument>
  private readonly created = new Set<string>()

  constructor(leases: Collection<LeaseDocument>) {
    super()
    this.leases = leases
  }

  /** @returns false when another holder has it */
  async renew(name: string, owner: string, leaseMs: number): Promise<boolean> {
    const { matchedCount } = await this.leases.updateOne({ _id: name, owner }, [
      { $set: { until: { $add: ['$$NOW', leaseMs] } } },
    ])
    return matchedCount === 1
  }

  async release(name: string, owner: string): Promise<void> {
    await this.leases.updateOne({ _id: name, owner }, { $set: { owner: '', until: new Date(0) } })
  }

  async acquire(name: string, owner: string, leaseMs: number): Promise<boolean> {
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
