import type { Collection, Db } from 'mongodb'
import { isDuplicateKey } from './errors.js'
import type { Migration } from './migration.js'
import type { RewriteProgress } from './rewrite-collection.js'

const NAME = 'schema_version'

/** The version of a database. */
export interface SchemaVersion {
  _id: 'schema'
  /** 1 before the first migration */
  version: number
  /** code of a lower version must not use the database */
  oldest_code: number
  /** the migration that was begun and is not complete */
  running?: { version: number; name: string; started_at: Date }
  updated_at: Date
}

interface StoredProgress extends RewriteProgress {
  /** `<version of the migration>/<collection>`, until the migration is complete */
  _id: string
}

/** The schema version of one database, and the progress of its migrations, in the collection `schema_version`. */
export class SchemaStore {
  private readonly db: Db
  private readonly versions: Collection<SchemaVersion>
  private readonly progress: Collection<StoredProgress>

  constructor(db: Db) {
    this.db = db
    this.versions = db.collection(NAME)
    this.progress = db.collection(NAME)
  }

  /**
   * The version of the database. One without collections is new and gets `current`; one with collections was made
   * before versions were recorded, and gets 1. Must be called before anything else writes to the database.
   */
  async open(current: number): Promise<SchemaVersion> {
    const stored = await this.find()
    if (stored) return stored
    const version = (await this.isEmpty()) ? current : 1
    await this.versions
      .insertOne({ _id: 'schema', version, oldest_code: 1, updated_at: new Date() })
      .catch((error: unknown) => {
        // another process was faster
        if (!isDuplicateKey(error)) throw error
      })
    return this.read()
  }

  async read(): Promise<SchemaVersion> {
    const stored = await this.find()
    if (!stored) throw new Error(`the document "schema" of the collection ${NAME} was deleted`)
    return stored
  }

  /** @returns false if another process has completed the migration meanwhile */
  async begin({ version, name, oldestCode }: Migration): Promise<boolean> {
    const before = { _id: 'schema', version: version - 1 } as const
    await this.versions.updateOne(
      { ...before, 'running.version': { $ne: version } },
      { $set: { running: { version, name, started_at: new Date() } } },
    )
    const { matchedCount } = await this.versions.updateOne(before, { $max: { oldest_code: oldestCode } })
    return matchedCount === 1
  }

  async complete({ version }: Migration): Promise<void> {
    await this.versions.updateOne(
      { _id: 'schema', version: version - 1 },
      { $set: { version, updated_at: new Date() }, $unset: { running: '' } },
    )
    // `0` is the character after `/`
    await this.progress.deleteMany({ _id: { $gte: `${version}/`, $lt: `${version}0` } })
  }

  async readProgress({ version }: Migration, collection: string): Promise<RewriteProgress | undefined> {
    return (await this.progress.findOne({ _id: `${version}/${collection}` })) ?? undefined
  }

  async saveProgress({ version }: Migration, collection: string, progress: RewriteProgress): Promise<void> {
    const { after, read, changed, is_complete } = progress
    await this.progress.updateOne(
      { _id: `${version}/${collection}` },
      { $set: { after, read, changed, is_complete } },
      { upsert: true },
    )
  }

  /** Undefined for a database that no service of a release with versions has used. */
  async find(): Promise<SchemaVersion | undefined> {
    return (await this.versions.findOne({ _id: 'schema' })) ?? undefined
  }

  private async isEmpty(): Promise<boolean> {
    const collections = await this.db.listCollections({}, { nameOnly: true }).toArray()
    return collections.every(({ name }) => name === NAME || name.startsWith('system.'))
  }
}
