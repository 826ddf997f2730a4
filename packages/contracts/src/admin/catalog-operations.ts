import { category } from '../catalog/category.js'
import { listCategories, listMediaJobs, listProducts } from '../catalog/commands.js'
import { mediaJob } from '../catalog/media.js'
import { product } from '../catalog/product.js'
import type { OperationRows } from './operation.js'

export const catalogOperations = {
  'GET /categories': { role: 'viewer', status: 200, query: listCategories.request, answer: listCategories.reply },
  'GET /categories/:id': { role: 'viewer', status: 200, answer: category },
  'GET /categories/by-erp-id/*': { role: 'viewer', status: 200, answer: category },

  'GET /products': { role: 'viewer', status: 200, query: listProducts.request, answer: listProducts.reply },
  'GET /products/:id': { role: 'viewer', status: 200, answer: product },
  'GET /products/by-erp-id/*': { role: 'viewer', status: 200, answer: product },

  'GET /media-jobs': { role: 'viewer', status: 200, query: listMediaJobs.request, answer: listMediaJobs.reply },
  'POST /media-jobs/:id/retry': { role: 'manager', status: 200, answer: mediaJob },
} as const satisfies OperationRows
