import { findMissingFiles } from '@partsbus/file-store/find-missing-files'
import { getHighestProductId } from '@partsbus/contracts/stock/commands'
import type { RepairableFinding } from '@partsbus/platform/diagnosis/finding'
import type { Diagnosis, Examined } from '@partsbus/platform/diagnosis/make-checks'
import { findMissingReferences, knownIds } from '@partsbus/platform/diagnosis/missing-references'
import { CounterStore } from '@partsbus/platform/mongo/counter-store'
import { backupPlan } from './backup-plan.js'
import { type CatalogConfig, catalogConfig } from './config.js'
import { type MediaRecord, openMediaFiles } from './media/media-store.js'
import { COUNTER } from './products/product-ids.js'

/** What is examined in the database of this service. */
export const diagnosis: Diagnosis<CatalogConfig> = {
  config: catalogConfig,
  indexes: {
    products: ['article_key', 'category_erp_ids_id'],
    categories: ['parent_erp_id_id'],
    media: ['sha256_unique'],
    media_sets: ['due_at'],
  },
  counters: backupPlan.counters,
  folders: ({ STORAGE_PATH }) => [STORAGE_PATH],
  checks: (examined) => ({
    'Product ids': () => checkProductCounter(examined),
    Images: () => checkImages(examined),
    'Files of images': () => checkFiles(examined),
  }),
}

/** The id of a product that only the stock remembers must not be allocated. */
async function checkProductCounter({ db, calls }: Examined): Promise<RepairableFinding[]> {
  const counters = new CounterStore(db.collection('counters'))
  const [last, { product_id: highest }] = [await counters.last(COUNTER), await calls.request(getHighestProductId, {})]
  if (last >= highest) return []
  return [
    {
      code: 'product-counter-behind-stock',
      severity: 'error',
      message: `The catalog allocated product ids up to ${last}, and a supply refers to product ${highest}.`,
      advice: 'The catalog is older than the stock. Restart the catalog, or run partsbus doctor --fix.',
      fix: () => counters.raiseAbove(COUNTER, highest),
    },
  ]
}

async function checkImages({ db }: Examined): Promise<RepairableFinding[]> {
  const known = knownIds(db.collection('media'), '_id')
  const check = (collection: string) =>
    findMissingReferences(db.collection(collection), 'media.id', known, {
      code: 'image-without-record',
      text: (count, ids) => `Items of ${collection} show ${count} images that are not stored: ${ids}.`,
      advice: 'Let the ERP send the images of these items again.',
    })
  return [...(await check('products')), ...(await check('categories'))]
}

async function checkFiles({ db, config }: Examined<CatalogConfig>): Promise<RepairableFinding[]> {
  const driver = await openMediaFiles(db, config, { prepare: false })
  return findMissingFiles(db.collection<MediaRecord>('media'), {}, ({ sha256 }) => [driver, sha256], {
    what: 'images',
    advice: 'Restore the files of images, or let the ERP send these images again.',
  })
}
