import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { parseTable } from './csv.js'
import { ROOT } from './shop.js'

/** The folder of the real files: `PARTSBUS_DATA`, else `../shared/data` beside the checkout. */
export const dataFolder = resolve(ROOT, process.env.PARTSBUS_DATA ?? '../shared/data')

/** Undefined when the files are there, else the reason the specs that need them are skipped. */
export function whyNoData(): string | undefined {
  return existsSync(join(dataFolder, 'MANIFEST.tsv'))
    ? undefined
    : `there is no ${dataFolder}; set PARTSBUS_DATA to the folder of real files`
}

export interface CategoryItem {
  id_erp: string
  name: string
  parent_id_erp?: string | null
  sort_order?: number
}

export interface ImageItem {
  url: string
  sort_order?: number
  is_main?: boolean
}

export interface ProductItem {
  id_erp: string
  name: string
  brand?: string
  article?: string
  category_id_erp?: string
  description_short?: string
  description_full?: string
  slug?: string
  sort_order?: number
  attributes?: { name: string; value: string | null; type?: string }[]
  images?: ImageItem[]
}

const read = (path: string) => readFileSync(join(dataFolder, path), 'utf8')

/** Google's product taxonomy, 5,582 categories, parents first. `prefix` separates two loads of it. */
export function googleTaxonomy(prefix: string): CategoryItem[] {
  const idOfPath = new Map<string, string>()
  return read('taxonomy/google/taxonomy-with-ids.en-US.txt')
    .split('\n')
    .filter((line) => /^\d/.test(line))
    .map((line, index) => {
      const [id = '', path = ''] = line.split(/ - (.*)/s)
      const parts = path.split(' > ')
      idOfPath.set(path, `${prefix}${id}`)
      const parent = parts.slice(0, -1).join(' > ')
      return {
        id_erp: `${prefix}${id}`,
        name: parts.at(-1) ?? '',
        parent_id_erp: parent === '' ? null : (idOfPath.get(parent) ?? ''),
        sort_order: index,
      }
    })
}

/**
 * Magento's sample shop: category paths as a tree, and 1,994 products; one further item for each further category of a
 * product.
 */
export function magentoShop(imageHost: string): { categories: CategoryItem[]; products: ProductItem[] } {
  const rows = parseTable(read('catalog/magento-apparel/products.csv'))
  const paths = new Set<string>()
  const products: ProductItem[] = []
  for (const row of rows) {
    const own = (row.categories ?? '').split(',').filter((path) => path !== '')
    for (const path of own) path.split('/').forEach((_, depth, parts) => paths.add(parts.slice(0, depth + 1).join('/')))
    const pictures = [...new Set([row.base_image ?? '', ...(row.additional_images ?? '').split(',')])].filter(
      (path) => path !== '',
    )
    const common = { id_erp: row.sku ?? '', name: row.name ?? '', article: row.sku, category_id_erp: own[0] }
    products.push({
      ...common,
      description_full: row.description,
      description_short: row.short_description,
      ...(row.url_key !== '' && { slug: row.url_key }),
      attributes: readAttributes(row.additional_attributes ?? ''),
      images: pictures.map((path, index) => ({
        url: `${imageHost}${path}`,
        sort_order: index * 10,
        is_main: path === row.base_image,
      })),
    })
    for (const path of own.slice(1)) products.push({ ...common, category_id_erp: path })
  }
  const categories = [...paths].map((path) => ({
    id_erp: path,
    name: path.split('/').at(-1) ?? '',
    parent_id_erp: path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : null,
  }))
  return { categories, products }
}

/** `size=XS,color=Black`; a comma inside a value is followed by no name and sign of equality. */
function readAttributes(text: string): ProductItem['attributes'] {
  return text
    .split(/,(?=[a-z_]+=)/)
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=')
      return { name: pair.slice(0, at), value: pair.slice(at + 1) }
    })
}

/** An image of Magento's sample shop by the path in its URL; undefined when the folder has none. */
export function magentoPicture(path: string): { bytes: () => Buffer; size: number; name: string } | undefined {
  const file = join(dataFolder, 'catalog/magento-apparel/images', path)
  if (!existsSync(file) || !statSync(file).isFile()) return undefined
  return { bytes: () => readFileSync(file), size: statSync(file).size, name: basename(file) }
}

const DOOR_ATTRIBUTES = [
  'Тип',
  'Серия',
  'Модель',
  'Цвет',
  'Высота',
  'Ширина',
  'Толщина',
  'Стекло',
  'Эксклюзив',
  'Стиль',
]

/**
 * A 1C export of 3,371 doors. Its photos lie on a stranger's server, so that the name of the host is made one that
 * cannot exist.
 */
export function doors(): { categories: CategoryItem[]; products: ProductItem[] } {
  const rows = parseTable(read('catalog/doors/product_im.csv'), ';')
  const kinds = [...new Set(rows.map((row) => row.ВидНоменклатуры ?? ''))]
  return {
    categories: kinds.map((kind) => ({ id_erp: `вид:${kind}`, name: kind, parent_id_erp: null })),
    products: rows.map((row) => ({
      id_erp: row['Внешний код'] ?? '',
      name: row['Наименование номенклатуры'] ?? '',
      brand: row['Бренд'],
      article: row['Артикул'],
      category_id_erp: `вид:${row.ВидНоменклатуры}`,
      attributes: DOOR_ATTRIBUTES.map((name) => ({ name, value: row[name] === '' ? null : (row[name] ?? null) })),
      ...(row['Путь к фото'] !== '' && { images: [{ url: unreachable(row['Путь к фото'] ?? ''), is_main: true }] }),
    })),
  }
}

function unreachable(url: string): string {
  const parsed = new URL(url)
  parsed.hostname = `${parsed.hostname}.invalid`
  return parsed.href
}

/** 26,137 rows of stock: sku and quantity. */
export function sunriseStock(): { sku: string; quantity: number }[] {
  return parseTable(read('stock/sunrise/inventory.csv')).map((row) => ({
    sku: row.sku ?? '',
    quantity: Number(row.quantityOnStock),
  }))
}

/** Parts of at most `size`, in order. */
export function inBatches<Item>(items: Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
