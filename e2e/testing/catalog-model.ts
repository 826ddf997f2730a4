import type { CategoryItem, ProductItem } from './real-data.js'
import type { Category, Product } from './shop.js'

/** The expected product in the admin API, without ids, times and images. */
export type ProductFacts = Pick<
  Product,
  'erp_id' | 'name' | 'brand' | 'article' | 'description' | 'slug' | 'is_active' | 'sort' | 'deleted_at'
> & {
  categories: string[]
  attributes: string[]
}

export type CategoryFacts = Pick<Category, 'erp_id' | 'name' | 'description' | 'is_active' | 'sort'> & {
  parent: string | null
}

/**
 * The rules of docs/spec/erp.md in memory, written from that page alone.
 * Only sent slugs are modelled; a generated slug only has to be unique and well formed.
 */
export class CatalogModel {
  readonly products = new Map<string, ProductFacts>()
  readonly categories = new Map<string, CategoryFacts>()
  private readonly waiting = new Map<string, string>()
  private readonly slugs = new Map<string, string>()

  /** Applies a batch. @returns the expected entries of `errors` */
  upsertCategories(batch: CategoryItem[]): { created: number; errors: string[] } {
    let created = 0
    for (const item of batch) {
      const old = this.categories.get(item.id_erp)
      if (!old) created += 1
      this.categories.set(item.id_erp, {
        erp_id: item.id_erp,
        name: item.name,
        description: null,
        is_active: true,
        sort: item.sort_order ?? old?.sort ?? 0,
        parent: old?.parent ?? null,
      })
    }
    const errors: string[] = []
    for (const { id_erp, parent_id_erp } of batch) {
      const own = this.categories.get(id_erp) as CategoryFacts
      if (parent_id_erp === undefined) continue
      this.waiting.delete(id_erp)
      if (parent_id_erp === null) own.parent = null
      else if (this.categories.has(parent_id_erp)) own.parent = parent_id_erp
      else {
        errors.push(`${id_erp}: Parent category with id_erp=${parent_id_erp} not found.`)
        this.waiting.set(id_erp, parent_id_erp)
      }
    }
    for (const [child, parent] of this.waiting) {
      if (!this.categories.has(parent)) continue
      ;(this.categories.get(child) as CategoryFacts).parent = parent
      this.waiting.delete(child)
    }
    return { created, errors }
  }

  upsertProducts(batch: ProductItem[]): { created: number; errors: string[] } {
    let created = 0
    const errors: string[] = []
    for (const item of batch) {
      const old = this.products.get(item.id_erp)
      if (!old) created += 1
      const now: ProductFacts = {
        erp_id: item.id_erp,
        name: item.name,
        brand: item.brand ?? null,
        article: item.article ?? null,
        description: descriptionAfter(old?.description ?? null, item),
        slug: old?.slug ?? '',
        is_active: true,
        sort: item.sort_order ?? 0,
        deleted_at: null,
        categories: old?.categories ?? [],
        attributes: attributesAfter(old?.attributes ?? [], item),
      }
      this.products.set(item.id_erp, now)
      if (item.slug !== undefined) {
        now.slug = this.takeSlug(item.id_erp, old?.slug ?? '', item.slug)
        if (now.slug !== item.slug)
          errors.push(`${item.id_erp}: Slug "${item.slug}" is already taken; saved as "${now.slug}".`)
      }
      if (item.category_id_erp === undefined) continue
      if (!this.categories.has(item.category_id_erp))
        errors.push(`${item.id_erp}: Category with id_erp=${item.category_id_erp} not found.`)
      else if (!now.categories.includes(item.category_id_erp))
        now.categories = [...now.categories, item.category_id_erp].toSorted()
    }
    return { created, errors }
  }

  private takeSlug(erpId: string, own: string, wanted: string): string {
    const isMine = (slug: string) => (this.slugs.get(slug) ?? erpId) === erpId
    let slug = wanted
    for (let count = 2; !isMine(slug); count++) slug = `${wanted}-${count}`
    if (own !== '' && own !== slug) this.slugs.delete(own)
    this.slugs.set(slug, erpId)
    return slug
  }
}

/** erp.md#products-3. */
function descriptionAfter(old: string | null, item: ProductItem): string | null {
  if (item.description_full !== undefined) return item.description_full
  if (item.description_short !== undefined && (old === null || old === '')) return item.description_short
  return old
}

/** erp.md#products-8; `name\u0000type\u0000value`, in order of name and type. */
function attributesAfter(old: string[], item: ProductItem): string[] {
  const values = new Map(old.map((text) => [text.slice(0, text.lastIndexOf('\u0000')), text]))
  for (const { name, type, value } of item.attributes ?? [])
    values.set(`${name}\u0000${type ?? ''}`, `${name}\u0000${type ?? ''}\u0000${value ?? ''}`)
  return [...values.values()].toSorted()
}

/** The comparable fields of a product that was read back. */
export function toFacts(product: Product): ProductFacts {
  const { erp_id, name, brand, article, description, slug, is_active, sort, deleted_at } = product
  return {
    erp_id,
    name,
    brand,
    article,
    description,
    slug,
    is_active,
    sort,
    deleted_at,
    categories: product.categories.map((category) => category.erp_id).toSorted(),
    attributes: product.attributes.map((one) => `${one.name}\u0000${one.type}\u0000${one.value}`).toSorted(),
  }
}

/** The comparable fields of all categories that were read back, with the ERP ids of parents. */
export function categoryFacts(categories: Category[]): CategoryFacts[] {
  const erpIds = new Map(categories.map((category) => [category.id, category.erp_id]))
  return categories.map(({ erp_id, name, description, is_active, sort, parent_id }) => ({
    erp_id,
    name,
    description,
    is_active,
    sort,
    parent: parent_id === null ? null : (erpIds.get(parent_id) ?? `unknown ${parent_id}`),
  }))
}
