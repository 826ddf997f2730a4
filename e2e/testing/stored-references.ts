import { createHash } from 'node:crypto'
import { fileStoreConfig } from '@partsbus/file-store/config'
import { openFileDrivers } from '@partsbus/file-store/open-file-drivers'
import type { Document, MongoClient } from 'mongodb'

/** Like `catalog.products`. */
type Name = `${string}.${string}`

export function collectionOf(client: MongoClient, name: Name) {
  const [service = '', ...collection] = name.split('.')
  return client.db(`partsbus_${service}`).collection<Document>(collection.join('.'))
}

const readAll = (client: MongoClient, name: Name) => collectionOf(client, name).find().toArray()

interface Reference {
  from: Name
  values(document: Document): unknown[]
  to: Name
  /** what a value names; `_id` unless given */
  key?: (document: Document) => unknown
}

const list = (value: unknown): Document[] => (Array.isArray(value) ? (value as Document[]) : [])
const idsIn = (documents: Document[]): unknown[] => documents.map(({ id }) => id as unknown)
const pair = (id: unknown, erpId: unknown): string => `${String(id)} ${String(erpId)}`
const setting = (name: string) => (document: Document) => [(document.values as Document)[name]].flat() as unknown[]
/** Of a set of images. */
const itemOf = (kind: string) => (document: Document) => [document.item === kind ? document.erp_id : null] as unknown[]
/** Of an offer or a skipped row, whose ids begin with that of the task. */
const TASK = 2 ** 24
const isVisible = ({ deleted }: Document): boolean => deleted === false

/** Every field that names a document, of the same database or of another one. Null and 0 name none. */
const REFERENCES: Reference[] = [
  { from: 'gateway.settings', values: setting('erp_storage_id'), to: 'stock.storages' },
  { from: 'gateway.settings', values: setting('erp_pick_up_point_id'), to: 'stock.pick_up_points' },
  { from: 'gateway.settings', values: setting('storages_for_crosses'), to: 'stock.storages' },
  { from: 'stock.pick_up_points', values: ({ storage_ids }) => list(storage_ids), to: 'stock.storages' },
  { from: 'stock.supplies', values: ({ storage_id }) => [storage_id], to: 'stock.storages' },
  { from: 'stock.supplies', values: ({ pick_up_point_id }) => [pick_up_point_id], to: 'stock.pick_up_points' },
  {
    from: 'stock.supplies',
    values: ({ product_id, product_erp_id }) => [pair(product_id, product_erp_id)],
    to: 'catalog.products',
    key: ({ id, _id }) => pair(id, _id),
  },
  { from: 'catalog.products', values: ({ media }) => idsIn(list(media)), to: 'catalog.media' },
  { from: 'catalog.categories', values: ({ media }) => idsIn(list(media)), to: 'catalog.media' },
  {
    from: 'catalog.products',
    values: ({ attributes }) => list(attributes).map(({ name }) => name as unknown),
    to: 'catalog.attributes',
  },
  { from: 'catalog.categories', values: ({ full_sync }) => [full_sync], to: 'catalog.full_syncs' },
  { from: 'catalog.categories', values: ({ parent_erp_id }) => [parent_erp_id], to: 'catalog.categories' },
  {
    from: 'catalog.media_sets',
    values: ({ images }) => list(images).map(({ media_id }) => media_id as unknown),
    to: 'catalog.media',
  },
  { from: 'catalog.media_sets', values: itemOf('product'), to: 'catalog.products' },
  { from: 'catalog.media_sets', values: itemOf('category'), to: 'catalog.categories' },
  { from: 'catalog.media_sources', values: ({ media_id }) => [media_id], to: 'catalog.media' },
  { from: 'pricing_import.price_lists', values: ({ storage_id }) => [storage_id], to: 'stock.storages' },
  {
    from: 'pricing_import.price_lists',
    values: ({ sources }) =>
      list(sources).flatMap(({ state }) => {
        const { task_id, last_run } = state as Document
        return [task_id, (last_run as Document | null)?.task_id] as unknown[]
      }),
    to: 'pricing_import.import_tasks',
  },
  {
    from: 'pricing_import.price_lists',
    values: (one) => (isVisible(one) ? list(one.versions).map(({ version }) => version as unknown) : []),
    to: 'pricing_import.import_tasks',
  },
  { from: 'pricing_import.import_tasks', values: (one) => [one.price_list_id], to: 'pricing_import.price_lists' },
  { from: 'pricing_import.import_tasks', values: ({ file_id }) => [file_id], to: 'pricing_import.files' },
  { from: 'pricing_import.offers', values: ({ version }) => [version], to: 'pricing_import.import_tasks' },
  {
    from: 'pricing_import.skipped_rows',
    values: ({ _id }) => [Math.floor(Number(_id) / TASK)],
    to: 'pricing_import.import_tasks',
  },
]

/** What the databases say about each other and about the files. Nothing may write meanwhile. */
export interface Consistency {
  /** references that were compared, by their kind */
  compared: Record<string, number>
  /** what is wrong */
  faults: string[]
}

/**
 * @param env where the files are: `FILES_PATH`, and `STORAGE_DRIVER` with its folder
 * @param laterLists price lists that existed after the files were copied; the files of others may be missing
 */
export async function checkReferences(
  client: MongoClient,
  env: NodeJS.ProcessEnv,
  laterLists?: ReadonlySet<number>,
): Promise<Consistency> {
  const found: Consistency = { compared: {}, faults: [] }
  for (const reference of REFERENCES) await compare(client, reference, found)
  await checkCategories(client, found)
  await checkVersions(client, found)
  await checkImages(client, env, found)
  const tasks = await readAll(client, 'pricing_import.import_tasks')
  const deleted = tasks.filter(({ price_list_id }) => laterLists?.has(Number(price_list_id)) === false)
  await checkFiles(client, env, new Set(deleted.map(({ file_id }) => file_id as unknown)), found)
  return found
}

async function compare(client: MongoClient, { from, values, to, key }: Reference, found: Consistency): Promise<void> {
  const known = new Set((await readAll(client, to)).map((document) => (key ? key(document) : document._id)))
  const named = (await readAll(client, from)).flatMap(values).filter((value) => (value ?? 0) !== 0)
  note(found, `${from} → ${to}`, named.length)
  for (const value of new Set(named))
    if (!known.has(value)) found.faults.push(`${from} names ${String(value)}, which ${to} does not have`)
}

function note({ compared }: Consistency, what: string, count: number): void {
  compared[what] = (compared[what] ?? 0) + count
}

/** A product may name a category that has not arrived; the catalog remembers that it is awaited. */
async function checkCategories(client: MongoClient, found: Consistency): Promise<void> {
  const known = new Set<unknown>()
  for (const name of ['catalog.categories', 'catalog.awaited_categories'] as const)
    for (const { _id } of await readAll(client, name)) known.add(_id)
  const named = (await readAll(client, 'catalog.products')).flatMap((one) => list(one.category_erp_ids) as unknown[])
  note(found, 'catalog.products → catalog.categories', named.length)
  for (const name of new Set(named))
    if (!known.has(name)) found.faults.push(`catalog.products names the category ${String(name)}, which nothing awaits`)
}

/** Every version that is kept has all its rows. */
async function checkVersions(client: MongoClient, found: Consistency): Promise<void> {
  for (const price of (await readAll(client, 'pricing_import.price_lists')).filter(isVisible)) {
    const kept = list(price.versions)
    if (price.active_version !== 0 && !kept.some(({ version }) => version === price.active_version))
      found.faults.push(`price list ${String(price._id)} does not keep its live version`)
    for (const { version, rows } of kept) {
      const stored = await collectionOf(client, 'pricing_import.offers').countDocuments({ version })
      note(found, 'pricing_import.price_lists → pricing_import.offers', stored)
      if (stored !== rows)
        found.faults.push(`version ${String(version)} has ${stored} of ${String(rows)} rows in pricing_import.offers`)
    }
  }
}

async function checkImages(client: MongoClient, env: NodeJS.ProcessEnv, found: Consistency): Promise<void> {
  const layout = { bucket: 'media', chunkDigits: 1, folder: '', levels: 2 }
  const media = await openFileDrivers(client.db('partsbus_catalog'), fileStoreConfig.parse(env), layout)
  for (const { _id, sha256, size } of await readAll(client, 'catalog.media')) {
    const bytes = await media
      .get(media.current)
      .read(String(sha256), 0, Number(size))
      .catch(() => Buffer.alloc(0))
    note(found, 'catalog.media → bytes', 1)
    if (createHash('sha256').update(bytes).digest('hex') !== sha256)
      found.faults.push(`the bytes of image ${String(_id)} are missing or differ`)
  }
}

async function checkFiles(
  client: MongoClient,
  env: NodeJS.ProcessEnv,
  deleted: ReadonlySet<unknown>,
  found: Consistency,
): Promise<void> {
  const layout = { bucket: 'price_files', chunkDigits: 6, folder: 'price-files', levels: 0 }
  const db = client.db('partsbus_pricing_import')
  const files = await openFileDrivers(db, fileStoreConfig.parse(env), layout, env.FILES_PATH)
  for (const { _id, driver, key, size, whole, deleting } of await readAll(client, 'pricing_import.files')) {
    if (whole !== true || deleting === true || deleted.has(_id)) continue
    const stored = files.get(driver as typeof files.current)
    const bytes = await stored.read(String(key), 0, Number(size)).catch(() => Buffer.alloc(0))
    note(found, 'pricing_import.files → bytes', 1)
    if (bytes.length !== size) found.faults.push(`file ${String(_id)} has ${bytes.length} of ${String(size)} bytes`)
  }
}
