import { z } from 'zod'
import { category, categoryItem, categoryRowReply } from './category.js'
import { categoryState, categoryStatesRequest } from './category-state.js'
import { identifier, integer, plainText, requiredText } from '../field.js'
import { mediaJob, storedMedia } from './media.js'
import { batchCommand, command } from '../message.js'
import { keysetRequest, pageOf } from '../paging.js'
import { productState, productStatesRequest } from './product-state.js'
import { product, productItem } from './product.js'
import { deactivationRequest, deactivationResult, upsertResult } from '../result.js'

export const upsertCategories = batchCommand('catalog.categories.upsert', {
  key: 'categories',
  idField: 'id_erp',
  item: categoryItem,
  reply: upsertResult,
  priority: 'high',
})
export const deactivateCategories = command('catalog.categories.deactivate', {
  request: deactivationRequest,
  reply: deactivationResult,
  batchField: 'ids_erp',
  priority: 'high',
})
export const upsertProducts = batchCommand('catalog.products.upsert', {
  key: 'products',
  idField: 'id_erp',
  item: productItem,
  reply: upsertResult,
  priority: 'high',
})
export const deactivateProducts = command('catalog.products.deactivate', {
  request: deactivationRequest,
  reply: deactivationResult,
  batchField: 'ids_erp',
  priority: 'high',
})

/** One item by its id or by its ERP id. */
const byEitherId = z.union([z.object({ id: identifier() }), z.object({ erp_id: requiredText(Infinity) })])

export const listCategories = command('catalog.categories.list', {
  request: keysetRequest.extend({
    parent_id: plainText(16).optional().describe('`root`, or the id of a category: those directly below it'),
    q: plainText(191).optional().describe('part of the name, or an ERP id'),
  }),
  reply: pageOf(categoryRowReply),
})
export const getCategory = command('catalog.categories.get', { request: byEitherId, reply: category })

/** What is stored of categories that the ERP sent; unknown ones are omitted (erp.md#category-status). */
export const getCategoryStates = command('catalog.categories.states', {
  request: categoryStatesRequest,
  reply: z.object({ categories: z.array(categoryState) }),
  batchField: 'ids_erp',
  priority: 'high',
})

export const listProducts = command('catalog.products.list', {
  request: keysetRequest.extend({
    q: plainText(191).optional().describe('words of the name, or an article, brand or ERP id'),
    category_id: identifier().optional().describe('products linked to this category'),
    trashed: z.boolean().optional().describe('true: only soft-deleted ones; absent: all'),
    is_active: z.boolean().optional().describe('only those that are active, or only those that are not'),
    count: z.boolean().optional().describe('false: `total` is null, which saves the counting; 0 in the reply'),
  }),
  reply: pageOf(product),
})
export const getProduct = command('catalog.products.get', { request: byEitherId, reply: product })

/** Ids of products that may have stock: known and not soft-deleted. Unknown ones are omitted. */
export const resolveProducts = command('catalog.products.resolve', {
  request: z.object({ erp_ids: z.array(z.string()).max(5_000) }),
  reply: z.object({ products: z.array(z.object({ erp_id: z.string(), id: z.int() })) }),
})

/** Those of the ids that a product has, soft-deleted ones included. */
export const findExistingProducts = command('catalog.products.existing', {
  request: z.object({ ids: z.array(identifier()).max(5_000) }),
  reply: z.object({ ids: z.array(z.int()) }),
})

/** What is stored of products that the ERP sent; unknown ones are omitted (erp.md#status). */
export const getProductStates = command('catalog.products.states', {
  request: productStatesRequest,
  reply: z.object({ products: z.array(productState) }),
  batchField: 'ids_erp',
  priority: 'high',
})

export const describeMedia = command('catalog.media.describe', {
  request: z.object({ id: identifier() }),
  reply: storedMedia,
})
/** Bytes of a stored image, at most 1 MiB per call. The reply is the bytes themselves. */
export const readMedia = command('catalog.media.read', {
  request: z.object({ id: identifier(), offset: integer(0), length: integer(1) }),
  reply: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
})
export const listMediaJobs = command('catalog.media-jobs.list', {
  request: keysetRequest.extend({
    status: z.enum(['pending', 'failed']).optional().describe('only those in this state; absent: all'),
    erp_id: plainText(191).optional().describe('of the item'),
    host: plainText(255).optional().describe('of the address, with its port where it has one'),
  }),
  reply: pageOf(mediaJob),
})
export const retryMediaJob = command('catalog.media-jobs.retry', {
  request: z.object({ id: identifier() }),
  reply: mediaJob,
})

/** Tries failed downloads again, of one host or of all; at most 10,000 in one call. */
export const retryMediaJobs = command('catalog.media-jobs.retry-failed', {
  request: z.object({ host: plainText(255).optional() }).meta({ id: 'MediaJobsRetry' }),
  reply: z.object({ retried: z.int() }).meta({ id: 'RetriedMediaJobs' }),
})

/** Active, not deleted products of an article, for the search (key: `articleKey`). */
export const findProductsByArticle = command('catalog.products.by-article', {
  request: z.object({
    article_key: z.string(),
    /** absent: all brands */
    brand_keys: z.array(z.string()).max(1_000).optional(),
  }),
  reply: z.object({
    products: z.array(z.object({ id: z.int(), brand: z.string().nullable(), article: z.string(), name: z.string() })),
    is_cut: z.boolean().optional().describe('true: there are more'),
  }),
})
