import type { Collection, Db, Document } from 'mongodb'
import type { Diagnosis } from './finding.js'

const BATCH = 1_000
const NAMED = 5

interface Reference {
  code: Diagnosis['code']
  /** who refers, like `supplies`, and to what */
  text: (count: number, ids: string) => string
  advice: string
  severity?: 'error' | 'warning'
}

/** Reports the values of a field that name nothing. @param field may be an array */
async function findMissing(
  from: Collection<Document>,
  field: string,
  known: (ids: number[]) => Promise<Set<number>>,
  reference: Reference,
): Promise<Diagnosis[]> {
  const missing = new Set<number>()
  let batch = new Set<number>()
  const compare = async (): Promise<void> => {
    const found = await known([...batch])
    for (const id of batch) if (!found.has(id)) missing.add(id)
    batch = new Set()
  }
  for await (const document of from.find({ deleted: { $ne: true } }, { projection: { [field]: 1 } })) {
    for (const value of readPath(document, field.split('.'))) if (typeof value === 'number') batch.add(value)
    if (batch.size >= BATCH) await compare()
  }
  await compare()
  if (missing.size === 0) return []
  const ids = [...missing].sort((one, other) => one - other)
  const named = ids.slice(0, NAMED).join(', ') + (ids.length > NAMED ? ', …' : '')
  const { code, text, advice, severity = 'error' } = reference
  return [{ code, severity, message: text(ids.length, named), advice }]
}

function readPath(value: unknown, [name, ...rest]: string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => readPath(each, name === undefined ? [] : [name, ...rest]))
  if (name === undefined) return [value]
  return typeof value === 'object' && value !== null ? readPath((value as Document)[name], rest) : []
}

function knownIds(collection: Collection<Document>, field: string) {
  return async (ids: number[]): Promise<Set<number>> => {
    const found = await collection.find({ [field]: { $in: ids } }, { projection: { [field]: 1 } }).toArray()
    return new Set(found.map((document) => document[field] as number))
  }
}

export async function checkSupplies(stock: Db, catalog: Db): Promise<Diagnosis[]> {
  return findMissing(stock.collection('supplies'), 'product_id', knownIds(catalog.collection('products'), 'id'), {
    code: 'supply-without-product',
    text: (count, ids) => `Supplies refer to ${count} products that the catalog does not have: ${ids}.`,
    advice: 'The catalog is older than the stock. Let the ERP send all products and stock again.',
  })
}

export async function checkStock(stock: Db): Promise<Diagnosis[]> {
  const storages = knownIds(stock.collection('storages'), '_id')
  const points = knownIds(stock.collection('pick_up_points'), '_id')
  const advice = 'Restore the newest backup of the stock, or create it again and let the ERP send the stock again.'
  return [
    ...(await findMissing(stock.collection('supplies'), 'storage_id', storages, {
      code: 'supply-without-storage',
      text: (count, ids) => `Supplies refer to ${count} storages that do not exist: ${ids}.`,
      advice,
    })),
    ...(await findMissing(stock.collection('supplies'), 'pick_up_point_id', points, {
      code: 'supply-without-pick-up-point',
      text: (count, ids) => `Supplies refer to ${count} pick-up points that do not exist: ${ids}.`,
      advice,
    })),
    ...(await findMissing(stock.collection('pick_up_points'), 'storage_ids', storages, {
      code: 'pick-up-point-without-storage',
      text: (count, ids) => `Pick-up points name ${count} storages that do not exist: ${ids}.`,
      advice: 'Remove these storages from the pick-up points.',
      severity: 'warning',
    })),
  ]
}

export async function checkLists(pricing: Db, stock: Db): Promise<Diagnosis[]> {
  return findMissing(pricing.collection('price_lists'), 'storage_id', knownIds(stock.collection('storages'), '_id'), {
    code: 'list-without-storage',
    text: (count, ids) => `Price lists belong to ${count} storages that do not exist: ${ids}.`,
    advice: 'Give the lists another storage (PATCH /price-lists/:id), or restore the newest backup of the stock.',
  })
}

/** Live versions whose rows are gone: their offers are not found. */
export async function checkLiveVersions(pricing: Db): Promise<Diagnosis[]> {
  const found: Diagnosis[] = []
  const lists = pricing.collection<LiveList>('price_lists').find({ active_version: { $gt: 0 } })
  for await (const { _id, active_version, versions = [] } of lists) {
    const rows = versions.find(({ version }) => version === active_version)?.rows ?? 0
    if (rows === 0 || (await pricing.collection('offers').findOne({ version: active_version }))) continue
    found.push({
      code: 'live-version-without-offers',
      severity: 'error',
      message: `Price list ${_id} has version ${active_version} live with ${rows} rows, and none is stored.`,
      advice: `Upload the list again, or make another version live: partsbus list rollback ${_id}.`,
    })
  }
  return found
}

interface LiveList {
  _id: number
  active_version: number
  versions?: Array<{ version: number; rows: number }>
}

export async function checkSettings(gateway: Db, stock: Db): Promise<Diagnosis[]> {
  const settings = await gateway.collection<{ _id: string; values: Document }>('settings').findOne({ _id: 'settings' })
  const values = settings?.values ?? {}
  const found: Diagnosis[] = []
  const kinds = [
    ['erp_storage_id', 'storages'],
    ['erp_pick_up_point_id', 'pick_up_points'],
    ['storages_for_crosses', 'storages'],
  ] as const
  for (const [name, collection] of kinds) {
    const ids = [values[name]].flat().filter((id): id is number => typeof id === 'number')
    const known = await knownIds(stock.collection(collection), '_id')(ids)
    const missing = ids.filter((id) => !known.has(id))
    if (missing.length === 0) continue
    found.push({
      code: 'setting-without-target',
      severity: 'error',
      message: `The setting ${name} names ${missing.join(', ')}, which does not exist.`,
      advice: `partsbus settings set ${name}=…`,
    })
  }
  if (typeof values.maintenance === 'string')
    found.push({
      code: 'maintenance',
      severity: 'warning',
      message: `Maintenance is on: ${values.maintenance}`,
      advice: 'partsbus maintenance off',
    })
  return found
}

export async function checkImages(catalog: Db): Promise<Diagnosis[]> {
  const known = knownIds(catalog.collection('media'), '_id')
  const check = (collection: string) =>
    findMissing(catalog.collection(collection), 'media.id', known, {
      code: 'image-without-record',
      text: (count, ids) => `Items of ${collection} show ${count} images that are not stored: ${ids}.`,
      advice: 'Let the ERP send the images of these items again.',
    })
  return [...(await check('products')), ...(await check('categories'))]
}
