import { findExistingProducts } from '@partsbus/contracts/catalog/commands'
import type { RepairableFinding } from '@partsbus/platform/diagnosis/finding'
import type { Diagnosis, Examined } from '@partsbus/platform/diagnosis/make-checks'
import { findMissingReferences, knownIds } from '@partsbus/platform/diagnosis/missing-references'
import { SecretBox } from '@partsbus/platform/process/secret-box'
import { backupPlan } from './backup-plan.js'
import { type StockConfig, stockConfig } from './config.js'
import { listUnreadableHeaders, type SupplierRecord } from './storages/supplier-record.js'

/** Of one question to the catalog. */
const ASK_TIMEOUT_MS = 10_000

/** What is examined in the database of this service. */
export const diagnosis: Diagnosis<StockConfig> = {
  config: stockConfig,
  indexes: { supplies: ['id', 'product_id', 'product_erp_id'] },
  counters: backupPlan.counters,
  checks: (examined) => ({
    Supplies: () => checkProducts(examined),
    Stock: () => checkLocations(examined),
    'Secrets of suppliers': () => checkHeaders(examined),
  }),
}

async function checkProducts({ db, calls }: Examined): Promise<RepairableFinding[]> {
  const known = async (ids: number[]): Promise<ReadonlySet<number>> => {
    if (ids.length === 0) return new Set()
    return new Set((await calls.request(findExistingProducts, { ids }, { timeoutMs: ASK_TIMEOUT_MS })).ids)
  }
  return findMissingReferences(db.collection('supplies'), 'product_id', known, {
    code: 'supply-without-product',
    text: (count, ids) => `Supplies refer to ${count} products that the catalog does not have: ${ids}.`,
    advice: 'The catalog is older than the stock. Let the ERP send all products and stock again.',
  })
}

async function checkLocations({ db }: Examined): Promise<RepairableFinding[]> {
  const [supplies, points] = [db.collection('supplies'), db.collection('pick_up_points')]
  const knownStorages = knownIds(db.collection('storages'), '_id')
  const advice = 'Restore the newest backup of the stock, or create it again and let the ERP send the stock again.'
  return [
    ...(await findMissingReferences(supplies, 'storage_id', knownStorages, {
      code: 'supply-without-storage',
      text: (count, ids) => `Supplies refer to ${count} storages that do not exist: ${ids}.`,
      advice,
    })),
    ...(await findMissingReferences(supplies, 'pick_up_point_id', knownIds(points, '_id'), {
      code: 'supply-without-pick-up-point',
      text: (count, ids) => `Supplies refer to ${count} pick-up points that do not exist: ${ids}.`,
      advice,
    })),
    ...(await findMissingReferences(points, 'storage_ids', knownStorages, {
      code: 'pick-up-point-without-storage',
      text: (count, ids) => `Pick-up points name ${count} storages that do not exist: ${ids}.`,
      advice: 'Remove these storages from the pick-up points.',
      severity: 'warning',
    })),
  ]
}

interface StorageDocument {
  _id: number
  supplier?: SupplierRecord
}

/** Header values of suppliers that no key opens. */
async function checkHeaders({ db, config }: Examined<StockConfig>): Promise<RepairableFinding[]> {
  const secrets = new SecretBox(config.SECRETS_KEY)
  const broken: string[] = []
  for await (const { _id, supplier } of db.collection<StorageDocument>('storages').find())
    for (const name of supplier ? listUnreadableHeaders(_id, supplier, secrets) : [])
      broken.push(`${name} of storage ${_id}`)
  if (broken.length === 0) return []
  return [
    {
      code: 'secrets-unreadable',
      severity: 'error',
      message: `Secrets cannot be opened with this SECRETS_KEY: ${broken.join(', ')}.`,
      advice: 'Send the header values again (PATCH /storages/:id), or add the former key to SECRETS_KEY.',
    },
  ]
}
