import type { Collection, Filter, UpdateFilter, WithId } from 'mongodb'

/*
 * Leases of the documents of a collection, as two of their fields. A lease is free when its end has passed by the
 * database's clock: free → held (acquire) → renewed … → free (release, or time runs out).
 */
export class DocumentLeases<Doc extends { _id: string | number }> {
  /** Matches documents whose lease is free. */
  readonly isFree: { $expr: object }

  /**
   * @param fields `owner` is empty once released, so that a renewal still under way does not revive the lease; `until`
   *   is when it ends
   */
  constructor(
    private readonly documents: Collection<Doc>,
    private readonly fields: { owner: string; until: string },
  ) {
    this.isFree = { $expr: { $lt: [`$${fields.until}`, '$$NOW'] } }
  }

  /**
   * @param also what else is set
   * @returns the document with the lease; null when none that matches is free
   */
  acquire(filter: Filter<Doc>, owner: string, leaseMs: number, also?: object): Promise<WithId<Doc> | null> {
    const held = { [this.fields.owner]: { $literal: owner }, ...this.endsAfter(leaseMs), ...also }
    return this.documents.findOneAndUpdate({ ...filter, ...this.isFree }, [{ $set: held }], { returnDocument: 'after' })
  }

  /** @returns whether it is still the owner's, also when it has expired and nobody else acquired it */
  async renew(id: Doc['_id'], owner: string, leaseMs: number): Promise<boolean> {
    const renewed = await this.documents.updateOne(this.ofOwner(id, owner), [{ $set: this.endsAfter(leaseMs) }])
    return renewed.matchedCount === 1
  }

  async release(id: Doc['_id'], owner: string): Promise<void> {
    const free = { [this.fields.owner]: '', [this.fields.until]: new Date(0) }
    await this.documents.updateOne(this.ofOwner(id, owner), { $set: free } as UpdateFilter<Doc>)
  }

  private ofOwner(id: Doc['_id'], owner: string): Filter<Doc> {
    return { _id: id, [this.fields.owner]: owner } as Filter<Doc>
  }

  private endsAfter(ms: number): object {
    return { [this.fields.until]: { $add: ['$$NOW', ms] } }
  }
}
