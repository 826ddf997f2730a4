import type { RepairableFinding } from '@partsbus/platform/diagnosis/finding'
import type { Collection, Document, Filter } from 'mongodb'
import { type FileDriver, FileNotFound } from './file-driver.js'

/** Files that are looked at, the newest ones: each costs a request to the storage. */
const MAX_FILES = 1_000

/** Records whose bytes are missing. @param what the files, like `images` */
export async function findMissingFiles<T extends Document>(
  records: Collection<T>,
  filter: Filter<T>,
  location: (record: T) => readonly [driver: FileDriver, name: string],
  { what, advice }: { what: string; advice: string },
): Promise<RepairableFinding[]> {
  const missing: string[] = []
  for (const record of await records.find(filter).sort({ _id: -1 }).limit(MAX_FILES).toArray()) {
    const [driver, name] = location(record as T)
    try {
      await driver.read(name, 0, 1)
    } catch (error) {
      if (!(error instanceof FileNotFound)) throw error
      // it may have been deleted since its record was read
      if ((await records.countDocuments({ ...filter, _id: record._id } as Filter<T>)) === 0) continue
      missing.push(String(record._id))
    }
  }
  if (missing.length === 0) return []
  const named = missing.slice(0, 5).join(', ') + (missing.length > 5 ? ', …' : '')
  const message = `The bytes of ${missing.length} ${what} are missing: ${named}.`
  return [{ code: 'file-missing', severity: 'error', message, advice }]
}
