import { z } from 'zod'
import { category, categoryRow } from '../catalog/category.js'
import * as catalog from '../catalog/commands.js'
import { mediaJob } from '../catalog/media.js'
import { product } from '../catalog/product.js'
import { pageOf } from '../paging.js'
import * as stock from '../stock/commands.js'
import { supply, supplyPatch } from '../stock/stock-item.js'
import type { AdminRow, Rows } from './row.js'

/** `total` is null where the rows were not counted (admin.md#list-filters). */
const uncountedProducts = catalog.listProducts.reply.extend({ total: z.int().nullable() }).meta({ id: 'ProductPage' })

export const catalogRows = {
  'GET /categories': {
    name: 'listCategories',
    summary: 'List categories',
    role: 'viewer',
    query: catalog.listCategories.request,
    answer: pageOf(categoryRow),
    command: catalog.listCategories,
  },
  'GET /categories/:id': {
    name: 'getCategory',
    summary: 'Get a category',
    role: 'viewer',
    answer: category,
    command: catalog.getCategory,
  },
  'GET /categories/by-erp-id/*': {
    name: 'getCategoryByErpId',
    summary: 'Get a category by its ERP id',
    role: 'viewer',
    answer: category,
    command: catalog.getCategory,
  },
  'GET /products': {
    name: 'listProducts',
    summary: 'List products',
    role: 'viewer',
    query: catalog.listProducts.request,
    answer: uncountedProducts,
    command: catalog.listProducts,
    toAnswer: (reply, { query: { count } }) => (count === false ? { ...reply, total: null } : reply),
  },
  'GET /products/:id': {
    name: 'getProduct',
    summary: 'Get a product',
    role: 'viewer',
    answer: product,
    command: catalog.getProduct,
  },
  'GET /products/by-erp-id/*': {
    name: 'getProductByErpId',
    summary: 'Get a product by its ERP id',
    role: 'viewer',
    answer: product,
    command: catalog.getProduct,
  },
  'GET /supplies': {
    name: 'listSupplies',
    summary: 'List supplies',
    role: 'viewer',
    query: stock.listSupplies.request,
    answer: stock.listSupplies.reply,
    command: stock.listSupplies,
  },
  'GET /supplies/:id': {
    name: 'getSupply',
    summary: 'Get a supply',
    role: 'viewer',
    isRevised: true,
    answer: supply,
    command: stock.getSupply,
  },
  'PATCH /supplies/:id': {
    name: 'patchSupply',
    summary: 'Change prices and counters of a supply',
    role: 'manager',
    isRevised: true,
    body: supplyPatch,
    answer: supply,
    command: stock.patchSupply,
    audit: 'supply.patch',
  },
  'GET /media-jobs': {
    name: 'listMediaJobs',
    summary: 'List image downloads',
    role: 'viewer',
    query: catalog.listMediaJobs.request,
    answer: catalog.listMediaJobs.reply,
    command: catalog.listMediaJobs,
  },
  'POST /media-jobs/:id/retry': {
    name: 'retryMediaJob',
    summary: 'Fetch an image again',
    role: 'manager',
    answer: mediaJob,
    command: catalog.retryMediaJob,
    audit: 'media-job.retry',
  },
  'POST /media-jobs/retry': {
    name: 'retryMediaJobs',
    summary: 'Fetch failed images again',
    role: 'manager',
    body: catalog.retryMediaJobs.request,
    isBodyOptional: true,
    answer: catalog.retryMediaJobs.reply,
    timeoutMs: 30_000,
    command: catalog.retryMediaJobs,
    audit: 'media-job.retry',
  },
} as const satisfies Rows<AdminRow>
