import { fileStoreConfig } from '@partsbus/file-store/config'
import { type FileDriver, FileNotFound } from '@partsbus/file-store/file-driver'
import { type FileLayout, openFileDrivers } from '@partsbus/file-store/open-file-drivers'
import { readConfig } from '@partsbus/platform/process/config'
import type { Db, Document } from 'mongodb'
import type { Diagnosis } from './finding.js'

/** As the services name their files. */
const MEDIA: FileLayout = { bucket: 'media', chunkDigits: 1, folder: '', levels: 2 }
const PRICE_FILES: FileLayout = { bucket: 'price_files', chunkDigits: 6, folder: 'price-files', levels: 0 }

/** Files of a kind that are looked at, the newest ones: each costs a request to the storage. */
const MAX_FILES = 1_000

export async function checkMediaFiles(catalog: Db, env: NodeJS.ProcessEnv): Promise<Diagnosis[]> {
  const drivers = await openFileDrivers(catalog, readConfig(fileStoreConfig, env), MEDIA)
  const records = await newest(catalog, 'media', {})
  const driver = drivers.get(drivers.current)
  const missing = await findMissing(records, ({ sha256 }) => [driver, sha256 as string])
  return describe(missing, 'images', 'Restore the files of images, or let the ERP send these images again.')
}

export async function checkPriceFiles(pricing: Db, env: NodeJS.ProcessEnv): Promise<Diagnosis[]> {
  const drivers = await openFileDrivers(
    pricing,
    readConfig(fileStoreConfig, env),
    PRICE_FILES,
    env.FILES_PATH || undefined,
  )
  const records = await newest(pricing, 'files', { whole: true, deleting: { $ne: true } })
  const missing = await findMissing(records, ({ driver, key }) => [drivers.get(driver), key as string])
  return describe(missing, 'price-list files', 'Restore the files of price lists; their imports cannot be repeated.')
}

function newest(db: Db, collection: string, filter: Document): Promise<Document[]> {
  return db.collection(collection).find(filter).sort({ _id: -1 }).limit(MAX_FILES).toArray()
}

async function findMissing(
  records: readonly Document[],
  location: (record: Document) => readonly [FileDriver, string],
): Promise<string[]> {
  const missing: string[] = []
  for (const record of records) {
    const [driver, name] = location(record)
    try {
      await driver.read(name, 0, 1)
    } catch (error) {
      if (!(error instanceof FileNotFound)) throw error
      missing.push(String(record._id))
    }
  }
  return missing
}

function describe(missing: readonly string[], what: string, advice: string): Diagnosis[] {
  if (missing.length === 0) return []
  const named = missing.slice(0, 5).join(', ') + (missing.length > 5 ? ', …' : '')
  const message = `The bytes of ${missing.length} ${what} are missing: ${named}.`
  return [{ code: 'file-missing', severity: 'error', message, advice }]
}
