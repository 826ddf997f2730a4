import { getStorage } from '@partsbus/contracts/stock/commands'
import { findMissingFiles } from '@partsbus/file-store/find-missing-files'
import { ifFound } from '@partsbus/platform/bus/if-found'
import type { RepairableFinding } from '@partsbus/platform/diagnosis/finding'
import type { Diagnosis, Examined } from '@partsbus/platform/diagnosis/make-checks'
import { findMissingReferences } from '@partsbus/platform/diagnosis/missing-references'
import { SecretBox } from '@partsbus/platform/process/secret-box'
import { backupPlan } from './backup-plan.js'
import { type PricingImportConfig, pricingImportConfig } from './config.js'
import { type FileDocument, openPriceFiles } from './files/file-store.js'
import { OfferStore } from './offers/offer-store.js'
import type { PriceListRecord } from './price-lists/price-list-record.js'
import { openPassword } from './price-lists/source-password.js'

/** What is examined in the database of this service. */
export const diagnosis: Diagnosis<PricingImportConfig> = {
  config: pricingImportConfig,
  indexes: { offers: ['article_version'], import_tasks: ['status_list', 'list'] },
  counters: backupPlan.counters,
  folders: ({ STORAGE_PATH, FILES_PATH, UPLOADS_PATH }) => [STORAGE_PATH, FILES_PATH, UPLOADS_PATH],
  checks: (examined) => ({
    'Price lists': () => checkStorages(examined),
    'Live versions': () => checkLiveVersions(examined),
    'Files of price lists': () => checkFiles(examined),
    'Passwords of sources': () => checkPasswords(examined),
  }),
}

/** Lists of earlier releases lack some fields. */
type StoredList = Partial<Omit<PriceListRecord, 'id'>> & { _id: number }

async function checkStorages({ db, calls }: Examined): Promise<RepairableFinding[]> {
  const known = async (ids: number[]): Promise<ReadonlySet<number>> => {
    const found = new Set<number>()
    for (const id of ids) if (await ifFound(calls.request(getStorage, { id }))) found.add(id)
    return found
  }
  return findMissingReferences(db.collection('price_lists'), 'storage_id', known, {
    code: 'list-without-storage',
    text: (count, ids) => `Price lists belong to ${count} storages that do not exist: ${ids}.`,
    of: { deleted: { $ne: true } },
    advice: 'Give the lists another storage (PATCH /price-lists/:id), or restore the newest backup of the stock.',
  })
}

/** Live versions whose rows are gone: their offers are not found. */
async function checkLiveVersions({ db }: Examined): Promise<RepairableFinding[]> {
  const found: RepairableFinding[] = []
  const offers = new OfferStore(db)
  const lists = db.collection<StoredList>('price_lists')
  const isLive = { deleted: { $ne: true }, active_version: { $gt: 0 } }
  for await (const { _id, active_version = 0, versions = [] } of lists.find(isLive)) {
    const rows = versions.find(({ version }) => version === active_version)?.rows ?? 0
    if (rows === 0 || (await offers.page(active_version, 0, 1)).offers.length > 0) continue
    // another version may have gone live since the list was read
    if ((await lists.countDocuments({ ...isLive, _id, active_version })) === 0) continue
    found.push({
      code: 'live-version-without-offers',
      severity: 'error',
      message: `Price list ${_id} has version ${active_version} live with ${rows} rows, and none is stored.`,
      advice: `Upload the list again, or make another version live: partsbus list rollback ${_id}.`,
    })
  }
  return found
}

async function checkFiles({ db, config }: Examined<PricingImportConfig>): Promise<RepairableFinding[]> {
  const drivers = await openPriceFiles(db, config, { prepare: false })
  const files = db.collection<FileDocument>('files')
  return findMissingFiles(
    files,
    { whole: true, deleting: { $ne: true } },
    ({ driver, key }) => [drivers.get(driver), key],
    {
      what: 'price-list files',
      advice: 'Restore the files of price lists; their imports cannot be repeated.',
    },
  )
}

/** Passwords of sources that no key opens. */
async function checkPasswords({ db, config }: Examined<PricingImportConfig>): Promise<RepairableFinding[]> {
  const secrets = new SecretBox(config.SECRETS_KEY)
  const broken: string[] = []
  for await (const { _id, sources = [] } of db.collection<StoredList>('price_lists').find())
    for (const { id, sealed_password } of sources) {
      if (typeof sealed_password !== 'string') continue
      try {
        openPassword(secrets, sealed_password, _id, id)
      } catch {
        broken.push(`source ${id} of price list ${_id}`)
      }
    }
  if (broken.length === 0) return []
  return [
    {
      code: 'secrets-unreadable',
      severity: 'error',
      message: `Secrets cannot be opened with this SECRETS_KEY: ${broken.join(', ')}.`,
      advice: 'Send the passwords again (PATCH /price-lists/:id), or add the former key to SECRETS_KEY.',
    },
  ]
}
