import { z } from 'zod'
import { category, categoryRow } from '../catalog/category.js'
import { listCategories, listMediaJobs, listProducts, retryMediaJobs } from '../catalog/commands.js'
import { mediaJob } from '../catalog/media.js'
import { product } from '../catalog/product.js'
import { pageOf } from '../paging.js'
import type { OperationRows } from './operation.js'

/** `total` is null where the rows were not counted (admin.md#list-filters). */
const uncountedProducts = listProducts.reply.extend({ total: z.int().nullable() }).meta({ id: 'ProductPage' })

export const catalogOperations = {
  'GET /categories': { role: 'viewer', status: 200, query: listCategories.request, answer: pageOf(categoryRow) },
  'GET /categories/:id': { role: 'viewer', status: 200, answer: category },
  'GET /categories/by-erp-id/*': { role: 'viewer', status: 200, answer: category },

  'GET /products': { role: 'viewer', status: 200, query: listProducts.request, answer: uncountedProducts },
  'GET /products/:id': { role: 'viewer', status: 200, answer: product },
  'GET /products/by-erp-id/*': { role: 'viewer', status: 200, answer: product },

  'GET /media-jobs': { role: 'viewer', status: 200, query: listMediaJobs.request, answer: listMediaJobs.reply },
  'POST /media-jobs/:id/retry': { role: 'manager', status: 200, answer: mediaJob },
  'POST /media-jobs/retry': {
    role: 'manager',
    status: 200,
    body: retryMediaJobs.request,
    isBodyOptional: true,
    answer: retryMediaJobs.reply,
    timeoutMs: 30_000,
  },
} as const satisfies OperationRows
