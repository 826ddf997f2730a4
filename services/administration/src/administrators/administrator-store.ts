import { Injectable, type OnModuleInit } from '@nestjs/common'
import type { AdministratorRole } from '@partsbus/contracts/administration/administrator'
import type { Page, PageRequest } from '@partsbus/contracts/paging'
import { DatabaseClock } from '@partsbus/platform/mongo/clock'
import { CounterStore } from '@partsbus/platform/mongo/counter-store'
import { deleteRevised } from '@partsbus/platform/mongo/delete-revised'
import { findPage } from '@partsbus/platform/mongo/find-page'
import { highestId } from '@partsbus/platform/mongo/highest-id'
import { ensureIndexes } from '@partsbus/platform/mongo/indexes'
import { type Collection, Db, type WithoutId } from 'mongodb'
import type { PasswordHash } from './password.js'

/*
 * States: invited (no password) → member ⇄ inactive; any of them can be invited again, for a new password.
 */
export interface AdministratorDocument {
  _id: number
  rev: number
  name: string
  /** the name without differences of case, unique */
  name_key: string
  display_name: string
  role: AdministratorRole
  is_active: boolean
  locale: 'en' | 'ru' | null
  time_zone: string | null
  theme: 'auto' | 'light' | 'dark'
  password: PasswordHash | null
  /** SHA-256 of its token, in hex */
  invitation: { sha256: string; expires_at: Date } | null
  last_seen_at: Date | null
  /** the last ones that sign-ins came from, the newest last; absent before the first one */
  addresses?: string[]
  created_at: Date
}

type Fields = Partial<WithoutId<AdministratorDocument>>

const COUNTER = 'administrators'
const KNOWN_ADDRESSES = 10

/** Two names with the same key are the same name. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase()
}

@Injectable()
export class AdministratorStore implements OnModuleInit {
  private readonly administrators: Collection<AdministratorDocument>
  private readonly counters: CounterStore
  private readonly clock: DatabaseClock

  constructor(db: Db) {
    this.administrators = db.collection<AdministratorDocument>('administrators')
    this.counters = new CounterStore(db.collection('counters'))
    this.clock = new DatabaseClock(db)
  }

  async onModuleInit(): Promise<void> {
    await ensureIndexes(this.administrators, [
      { name: 'name_unique', key: { name_key: 1 }, options: { unique: true } },
      { name: 'invitation', key: { 'invitation.sha256': 1 } },
      { name: 'active_owners', key: { role: 1, is_active: 1 } },
    ])
    await this.counters.startAbove(COUNTER, () => highestId(this.administrators))
  }

  /** @throws a duplicate key error when the name is taken */
  async insert(fields: Pick<AdministratorDocument, 'name' | 'display_name' | 'role' | 'is_active' | 'invitation'>) {
    const document: AdministratorDocument = {
      _id: await this.counters.allocate(COUNTER, 1),
      rev: 1,
      ...fields,
      name_key: nameKey(fields.name),
      locale: null,
      time_zone: null,
      theme: 'auto',
      password: null,
      last_seen_at: null,
      created_at: await this.clock.now(),
    }
    await this.administrators.insertOne(document)
    return document
  }

  /** Display names of the active owners, by name: whom others may ask. */
  async listOwnerNames(): Promise<string[]> {
    const owners = await this.administrators
      .find({ role: 'owner', is_active: true })
      .sort({ display_name: 1 })
      .project<Pick<AdministratorDocument, 'display_name'>>({ display_name: 1 })
      .toArray()
    return owners.map(({ display_name }) => display_name)
  }

  /** Whether anybody can sign in by name and password. */
  async hasAccounts(): Promise<boolean> {
    return (await this.administrators.findOne({ is_active: true, password: { $ne: null } })) !== null
  }

  findById(id: number): Promise<AdministratorDocument | null> {
    return this.administrators.findOne({ _id: id })
  }

  findByName(name: string): Promise<AdministratorDocument | null> {
    return this.administrators.findOne({ name_key: nameKey(name) })
  }

  /** The active administrator whom an invitation that has not expired is for. */
  async findByInvitation(sha256: string): Promise<AdministratorDocument | null> {
    return this.administrators.findOne(await this.openInvitation(sha256))
  }

  list(request: PageRequest): Promise<Page<AdministratorDocument>> {
    return findPage(this.administrators, {}, { _id: 1 }, request, (document) => document)
  }

  /**
   * @param accepted the revisions that may be changed; undefined: any
   * @returns null when there is none
   */
  update(id: number, fields: Fields, accepted?: readonly number[]): Promise<AdministratorDocument | null> {
    return this.administrators.findOneAndUpdate(
      { _id: id, ...(accepted && { rev: { $in: [...accepted] } }) },
      { ...(Object.keys(fields).length > 0 && { $set: fields }), $inc: { rev: 1 } },
      { returnDocument: 'after' },
    )
  }

  /** An invitation is not shown with the administrator, so the revision stays. @returns false when there is none */
  async setInvitation(id: number, invitation: AdministratorDocument['invitation']): Promise<boolean> {
    return (await this.administrators.updateOne({ _id: id }, { $set: { invitation } })).matchedCount === 1
  }

  /** Uses up an invitation. @returns null when it was used meanwhile */
  async acceptInvitation(sha256: string, password: PasswordHash): Promise<AdministratorDocument | null> {
    return this.administrators.findOneAndUpdate(
      await this.openInvitation(sha256),
      { $set: { password, invitation: null }, $inc: { rev: 1 } },
      { returnDocument: 'after' },
    )
  }

  async recordSeen(id: number, at: Date): Promise<void> {
    await this.administrators.updateOne({ _id: id }, { $max: { last_seen_at: at } })
  }

  /** A sign-in from an address, which is then the last one of the known ones. */
  async recordSignIn({ _id, addresses }: AdministratorDocument, at: Date, address: string): Promise<void> {
    await this.recordSeen(_id, at)
    if (addresses?.at(-1) === address) return
    await this.administrators.updateOne({ _id }, { $pull: { addresses: address } })
    await this.administrators.updateOne(
      { _id },
      { $push: { addresses: { $each: [address], $slice: -KNOWN_ADDRESSES } } },
    )
  }

  delete(id: number): Promise<boolean> {
    return deleteRevised(this.administrators, id, undefined)
  }

  async hasOtherOwner(id: number): Promise<boolean> {
    return (await this.administrators.findOne({ role: 'owner', is_active: true, _id: { $ne: id } })) !== null
  }

  now(): Promise<Date> {
    return this.clock.now()
  }

  private async openInvitation(sha256: string) {
    return { 'invitation.sha256': sha256, 'invitation.expires_at': { $gt: await this.clock.now() }, is_active: true }
  }
}
