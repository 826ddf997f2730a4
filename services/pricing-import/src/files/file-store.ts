import { randomBytes } from 'node:crypto'
import type { DriverName } from '@partsbus/file-store/config'
import { FileNotFound } from '@partsbus/file-store/file-driver'
import {
  type FileDrivers,
  type FileLayout,
  type OpenOptions,
  openFileDrivers,
} from '@partsbus/file-store/open-file-drivers'
import { CounterStore } from '@partsbus/platform/mongo/counter-store'
import { databaseNow } from '@partsbus/platform/mongo/clock'
import { highestId } from '@partsbus/platform/mongo/highest-id'
import { ensureIndexes } from '@partsbus/platform/mongo/indexes'
import { CONFIG } from '@partsbus/platform/process/injection-tokens'
import { type Collection, Db } from 'mongodb'
import type { FilesConfig } from './files-config.js'

const LAYOUT: FileLayout = { bucket: 'price_files', chunkDigits: 6, folder: 'price-files', levels: 0 }

export function openPriceFiles(db: Db, config: FilesConfig, options?: OpenOptions): Promise<FileDrivers> {
  return openFileDrivers(db, config, LAYOUT, config.FILES_PATH, options)
}

/*
 * States: incomplete (`whole` is false) → complete → used (a task imports it) → deleted. A file that is unused an hour
 * after it was stored or last previewed belongs to an abandoned preview or a killed process, and is deleted. The record
 * is written before the first byte and deleted after the last one, so there are no bytes without a record.
 */
export interface FileDocument {
  _id: number
  name: string
  size: number
  driver: DriverName
  /** name for the driver; random, because other installations may store files in the same folder or bucket */
  key: string
  /** whether all bytes are stored */
  whole: boolean
  used: boolean
  /** id of the administrator who previewed it; absent: it is not shared out */
  kept_for?: number
  /** true while the bytes are deleted, so that no task starts to use the file */
  deleting?: boolean
  /** time of storing or of the last preview, by the database's clock */
  at: Date
}

export interface StoredFile {
  id: number
  /** an unguessable name, which identifies a preview */
  key: string
  name: string
  /** bytes */
  size: number
}

const UNUSED_MS = 3_600_000
/** Files of one administrator that are kept although no task uses them. */
const MAX_KEPT = 20
/** Ids that a process reserves at once; the rest of a block is lost when it stops. */
const ID_BLOCK = 32

/** Records of uploaded price list files; a driver stores the bytes. */
export class FileStore {
  private readonly files: Collection<FileDocument>
  private readonly drivers: FileDrivers
  private readonly counters: CounterStore
  /** reserved, the lowest last */
  private readonly freeIds: number[] = []

  constructor(
    private readonly db: Db,
    drivers: FileDrivers,
    counters: CounterStore,
  ) {
    this.files = db.collection('files')
    this.drivers = drivers
    this.counters = counters
  }

  async onModuleInit(): Promise<void> {
    await ensureIndexes(this.files, [{ name: 'unused', key: { used: 1, at: 1 } }])
    await this.counters.startAbove('files', () => highestId(this.files))
  }

  /**
   * Stores a local file; when it returns, the file is durable.
   * @param keptFor the administrator of a preview, whose oldest file gives way beyond a number
   */
  async store(path: string, name: string, keptFor?: number): Promise<StoredFile> {
    const id = this.freeIds.pop() ?? (await this.reserveIds())
    const key = `${id}-${randomBytes(6).toString('hex')}`
    const driver = this.drivers.current
    await this.files.updateOne(
      // another file with this id is never replaced
      { _id: id, key },
      {
        $set: { name, size: 0, driver, whole: false, used: false, ...(keptFor && { kept_for: keptFor }) },
        $currentDate: { at: true },
      },
      { upsert: true },
    )
    const size = await this.drivers
      .get(driver)
      .writeFrom(key, path)
      .catch(async (error: unknown) => {
        // the cleanup removes what remains
        await this.delete(id).catch(() => undefined)
        throw error
      })
    const completed = await this.files.updateOne({ _id: id }, { $set: { size, whole: true } })
    if (completed.matchedCount === 0) throw new FileNotFound(key)
    // what remains is removed by the cleanup
    if (keptFor !== undefined) await this.deleteOldest(keptFor).catch(() => undefined)
    return { id, key, name, size }
  }

  async get(id: number): Promise<StoredFile | undefined> {
    const found = await this.files.findOne({ _id: id, whole: true })
    return found ? toStoredFile(found) : undefined
  }

  /** Finds the file of a preview and postpones its cleanup by an hour. */
  async findPreviewed(key: string): Promise<StoredFile | undefined> {
    const id = Number(/^(\d{1,15})-[0-9a-f]{12}$/.exec(key)?.[1] ?? 0)
    const found = await this.files.findOneAndUpdate(
      { _id: id, key, whole: true, deleting: { $ne: true } },
      { $currentDate: { at: true } },
    )
    return found ? toStoredFile(found) : undefined
  }

  /**
   * @returns at most `length` bytes from `offset`, fewer at the end of the file
   * @throws FileNotFound, FileStorageUnavailable
   */
  async read(id: number, offset: number, length: number): Promise<Buffer> {
    const { size, driver, key } = await this.getComplete(id)
    const wanted = Math.min(length, size - offset)
    return wanted <= 0 ? Buffer.alloc(0) : this.drivers.get(driver).read(key, offset, wanted)
  }

  /**
   * Copies a file to `path`. The copy must not be modified.
   * @throws FileNotFound, FileStorageUnavailable, or Error when the disk is full
   */
  async copyTo(id: number, path: string): Promise<void> {
    const { driver, key } = await this.getComplete(id)
    await this.drivers.get(driver).copyTo(key, path)
  }

  /** Marks the file as imported by a task. @returns false when it is deleted or being deleted */
  async markUsed(id: number): Promise<boolean> {
    const used = await this.files.updateOne({ _id: id, deleting: { $ne: true } }, { $set: { used: true } })
    return used.matchedCount === 1
  }

  /** Files that were stored or previewed over an hour ago and that no task uses, with that time. */
  async listUnused(): Promise<Array<{ id: number; at: Date }>> {
    const now = await databaseNow(this.db)
    const found = await this.files
      .find({ used: false, at: { $lt: new Date(now.getTime() - UNUSED_MS) } })
      .limit(500)
      .project<Pick<FileDocument, '_id' | 'at'>>({ at: 1 })
      .toArray()
    return found.map(({ _id, at }) => ({ id: _id, at }))
  }

  /**
   * Deletes a file that no task uses. One that began to use it before it was marked is seen by `isUsed`, and none
   * begins afterwards.
   * @param file with the time for which it was found unused: one that was previewed since is left
   */
  async deleteUnless(isUsed: () => Promise<boolean>, { id, at }: { id: number; at?: Date }): Promise<void> {
    const filter = { _id: id, ...(at && { at }) }
    const marked = await this.files.updateOne(filter, { $set: { deleting: true } })
    if (marked.matchedCount === 0) return
    // it counts as unused until the cleanup finds its task, which may be withdrawn because of the mark
    if (await isUsed()) await this.files.updateOne({ _id: id }, { $set: { used: false }, $unset: { deleting: '' } })
    else await this.delete(id)
  }

  async delete(id: number): Promise<void> {
    await this.deleteIf({ _id: id })
  }

  private async deleteIf(filter: { _id: number; used?: false }): Promise<void> {
    // marked first, so that no task starts to use a file whose bytes are deleted
    const file = await this.files.findOneAndUpdate(filter, { $set: { deleting: true } })
    if (!file) return
    await this.drivers.get(file.driver).delete(file.key)
    await this.files.deleteOne({ _id: file._id })
  }

  private async deleteOldest(keptFor: number): Promise<void> {
    const old = await this.files
      .find({ used: false, kept_for: keptFor })
      .sort({ at: -1, _id: -1 })
      .skip(MAX_KEPT)
      .project<{ _id: number }>({ _id: 1 })
      .toArray()
    // an import may have begun to use it
    for (const { _id } of old) await this.deleteIf({ _id, used: false })
  }

  /** @returns the first of a new block */
  private async reserveIds(): Promise<number> {
    const first = await this.counters.allocate('files', ID_BLOCK)
    for (let id = first + ID_BLOCK - 1; id > first; id -= 1) this.freeIds.push(id)
    return first
  }

  private async getComplete(id: number): Promise<FileDocument> {
    const file = await this.files.findOne({ _id: id, whole: true })
    if (!file) throw new FileNotFound(String(id))
    return file
  }
}

function toStoredFile({ _id, key, name, size }: FileDocument): StoredFile {
  return { id: _id, key, name, size }
}

/** Opens the store with the configured drivers. */
export const fileStore = {
  provide: FileStore,
  useFactory: async (db: Db, config: FilesConfig, counters: CounterStore) =>
    new FileStore(db, await openPriceFiles(db, config), counters),
  inject: [Db, CONFIG, CounterStore],
}
