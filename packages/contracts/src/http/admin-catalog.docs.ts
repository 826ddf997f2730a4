import type { catalogRows } from './admin-catalog.js'
import { type DocsOf, PAGED, PATCHED } from './docs.js'

export const catalogDocs: DocsOf<typeof catalogRows> = {
  'GET /categories': {
    description: PAGED,
    result: 'One page of categories',
  },
  'GET /categories/:id': {
    description: 'Inactive ones too.',
    result: 'The category',
  },
  'GET /categories/by-erp-id/*': {
    description: 'Inactive ones too.',
    result: 'The category',
  },
  'GET /products': {
    description: `${PAGED} Soft-deleted ones are listed too; \`trashed=true\` lists only them.`,
    result: 'One page of products',
  },
  'GET /products/:id': {
    description: 'Soft-deleted ones too.',
    result: 'The product',
  },
  'GET /products/by-erp-id/*': {
    description: 'Soft-deleted ones too.',
    result: 'The product',
  },
  'GET /supplies': {
    description: `${PAGED} The filters may be combined.`,
    result: 'One page of supplies',
  },
  'GET /supplies/:id': {
    description: 'One supply.',
    result: 'The supply',
  },
  'PATCH /supplies/:id': {
    description: `${PATCHED} A price of \`null\` means there is none. What the ERP writes is not changed here.`,
    result: 'The supply after the change',
    requests: { 'A price': { selling_price: 1_990, old_price: null, reserved: 2 } },
    violations: { selling_price: ['The selling_price must be at least 0.'] },
  },
  'GET /media-jobs': {
    description:
      'Downloads that wait (`pending`) or have failed (`failed`, with the reason). Completed downloads are not listed.',
    result: 'One page of downloads',
  },
  'POST /media-jobs/:id/retry': {
    description: 'Schedules a download now. A body is ignored.',
    result: 'The download',
  },
  'POST /media-jobs/retry': {
    description: 'Schedules the failed downloads of one host, or of all; at most 10,000 in one call.',
    result: 'How many are scheduled',
    body: 'The host whose images to fetch.',
    violations: { host: ['The host must be a string.'] },
  },
}
