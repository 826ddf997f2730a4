import { z } from 'zod'
import { identifier, integer, plainText, requiredText } from '../field.js'
import { command } from '../message.js'
import { pageOf, keysetRequest } from '../paging.js'
import { ifRevisions, revision } from '../revision.js'

/** Any integer is valid: one without a point is an unknown point (partners.md#brands-1). */
const pickUpPoints = z
  .array(integer())
  .max(1_000)
  .nullish()
  .describe(
    'absent or null: the storages of the setting `storages_for_crosses`; ' +
      'points that are unknown or not active are left out',
  )

/** `POST /get-brands` (partners.md#search-bodies). */
export const brandsRequest = z
  .object({ article: requiredText(), pick_up_points: pickUpPoints })
  .meta({ id: 'BrandsRequest' })
/** `POST /get-parts` (partners.md#search-bodies). */
export const partsRequest = z
  .object({
    article: requiredText().meta({ example: '0 986 424 590' }),
    brands: z
      .array(requiredText())
      .min(1)
      .max(100)
      .meta({ example: ['BOSCH', 'ATE'] }),
    pick_up_points: pickUpPoints,
  })
  .meta({ id: 'PartsRequest' })

export const brandEntry = z
  .object({
    brand: z.string().meta({ example: 'BOSCH' }),
    article: z.string().meta({ example: '0 986 424 590' }),
    name: z.string().meta({ example: 'Колодки тормозные' }),
    storages: z.array(z.object({ storage_id: z.int(), storage_name: z.string() }).meta({ id: 'BrandStorage' })),
  })
  .meta({ id: 'BrandEntry' })

/** `price` and `delivery_days` are omitted when the supplier sent none. */
export const part = z
  .object({
    brand: z.string().meta({ example: 'BOSCH' }),
    article: z.string().meta({ example: '0 986 424 590' }),
    name: z.string().meta({ example: 'Колодки тормозные' }),
    quantity: z.int().min(1).meta({ example: 24 }),
    price: z.number().optional().meta({ example: 2140.5 }),
    delivery_days: z.int().optional().meta({ example: 2 }),
    storage_id: z.int().meta({ example: 12 }),
    storage_name: z.string().meta({ example: 'Supplier North' }),
  })
  .meta({ id: 'Part' })

export type BrandEntry = z.infer<typeof brandEntry>
export type Part = z.infer<typeof part>

/** The outcome of each storage is in the header `busHeaders.suppliers` of the reply. */
export const findBrands = command('supplier-search.brands.find', {
  request: brandsRequest,
  reply: z.object({ result: z.boolean(), message: z.string(), brands: z.array(brandEntry) }),
})
export const findParts = command('supplier-search.parts.find', {
  request: partsRequest,
  reply: z.object({ result: z.boolean(), message: z.string(), parts: z.array(part) }),
})

/** The names under which partners see these brands, in their order (rules.md#brand-names). */
export const showBrands = command('supplier-search.brands.show', {
  request: z.object({ brands: z.array(z.string()).max(1_000) }),
  reply: z.object({ brands: z.array(z.string()) }),
})

const synonymFields = {
  canonical: requiredText().meta({ example: 'BOSCH' }),
  synonyms: z
    .array(requiredText())
    .max(1_000)
    .optional()
    .meta({ example: ['Robert Bosch', 'БОШ'] }),
}
export const newBrandSynonym = z.strictObject(synonymFields).meta({ id: 'NewBrandSynonym' })
export const brandSynonymPatch = newBrandSynonym.partial().meta({ id: 'BrandSynonymPatch' })
/** A group of spellings; a spelling belongs to at most one group. */
export const brandSynonym = z
  .object({
    id: z.int(),
    canonical: z.string().meta({ example: 'BOSCH' }),
    synonyms: z.array(z.string()).meta({ example: ['БОШ'] }),
  })
  .meta({ id: 'BrandSynonym' })

const one = z.object({ id: identifier() })
export const listBrandSynonyms = command('supplier-search.brand-synonyms.list', {
  request: keysetRequest.extend({ q: plainText(191).optional().describe('part of a spelling') }),
  reply: pageOf(brandSynonym),
})
export const getBrandSynonym = command('supplier-search.brand-synonyms.get', {
  request: one,
  reply: brandSynonym.extend(revision),
})
export const createBrandSynonym = command('supplier-search.brand-synonyms.create', {
  request: newBrandSynonym,
  reply: brandSynonym.extend(revision),
})
export const patchBrandSynonym = command('supplier-search.brand-synonyms.patch', {
  request: one.extend(ifRevisions).extend({ patch: brandSynonymPatch }),
  reply: brandSynonym.extend(revision),
})
export const deleteBrandSynonym = command('supplier-search.brand-synonyms.delete', {
  request: one.extend(ifRevisions),
  reply: z.object({}),
})

/** Queries the supplier of one storage, without cache and circuit breaker (admin.md#storage-test). */
export const testStorage = command('supplier-search.storages.test', {
  request: one.extend({ article: requiredText() }),
  reply: z
    .object({
      ok: z.boolean(),
      ms: z.int().meta({ example: 184 }),
      brands: z.array(
        z.object({ brand: z.string(), article: z.string(), name: z.string() }).meta({ id: 'FoundBrand' }),
      ),
      error: z.string().nullable(),
    })
    .meta({ id: 'StorageTestResult' }),
})
