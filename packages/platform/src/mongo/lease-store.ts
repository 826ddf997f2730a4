import type { Collection } from 'mongodb'
import { Leases } from '../async/leases.js'
import { DocumentLeases } from './document-leases.js'
import { isDuplicateKey } from './errors.js'

interface LeaseDocument {
  _id: string
  owner: string
  until: Date
}

/** Each name has a document of its own, with the lease of a document: missing → free (first use) → held → free. */
export class LeaseStore extends Leases {
  private readonly documents: Collection<LeaseDocument>
  private readonly leases: DocumentLeases<LeaseDocument>
  private readonly created = new Set<string>()

  constructor(documents: Collection<LeaseDocument>) {
    super()
    this.documents = documents
    this.leases = new DocumentLeases(documents, { owner: 'owner', until: 'until' })
  }

  async acquire(name: string, owner: string, leaseMs: number): Promise<boolean> {
    await this.create(name)
    return (await this.leases.acquire({ _id: name }, owner, leaseMs)) !== null
  }

  renew(name: string, owner: string, leaseMs: number): Promise<boolean> {
    return this.leases.renew(name, owner, leaseMs)
  }

  release(name: string, owner: string): Promise<void> {
    return this.leases.release(name, owner)
  }

  /** Creates the lease at its first use: an upsert cannot compare with the database's clock. */
  private async create(name: string): Promise<void> {
    if (this.created.has(name)) return
    await this.documents.insertOne({ _id: name, owner: '', until: new Date(0) }).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error
    })
    this.created.add(name)
  }
}
