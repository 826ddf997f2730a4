import type { Example } from '../operations/operation.js'

/** Requests and answers of one endpoint, as they could be sent by hand. */
export interface Exchange {
  requests: Readonly<Record<string, Example>>
  answers: Readonly<Record<string, Example>>
}

const categories = [
  { id_erp: 'C-10', name: 'Тормозная система', sort_order: 10 },
  {
    id_erp: 'C-11',
    parent_id_erp: 'C-10',
    name: 'Brake pads',
    description: 'Pads for disc brakes',
    slug: 'brake-pads',
    image_url: 'https://erp.example.org/images/brake-pads.png',
  },
]

const product = {
  id_erp: 'P/0001',
  name: 'Brake pad set, front',
  brand: 'NORDBREMS',
  article: 'NB-1204',
  category_id_erp: 'C-11',
  description_full: '<p>Four pads with wear indicator.</p>',
  sort_order: 5,
  attributes: [
    { name: 'Thickness', value: '17.5', type: 'mm' },
    { name: 'Side', value: 'front' },
  ],
  images: [{ url: 'https://erp.example.org/images/nb-1204.jpg', sort_order: 0, is_main: true }],
}

const stocks = [
  { product_id_erp: 'P/0001', quantity: 24, supply_date: '2026-11-21', delivery_days: 2 },
  { product_id_erp: 'P/0002', quantity: 0 },
]

const prices = [
  { product_id_erp: 'P/0001', selling_price: 2490, purchase_price: 1610.5, old_price: 2990 },
  { product_id_erp: 'P/0002', selling_price: 315.9, old_price: null },
]

/** Of a batch of stock and of one of prices. */
const supplyAnswers = {
  updated: { summary: 'Both written', value: { processed: 2, updated: 2, errors: [] } },
  unknown: {
    summary: 'A product that is not known',
    value: {
      processed: 2,
      updated: 1,
      errors: [{ product_id_erp: 'P/0002', message: 'Product not found for given ERP ID.' }],
    },
  },
}

/** Examples of the ERP endpoints; a test validates each against its schema. */
export const erpExamples = {
  upsertCategories: {
    requests: {
      array: { summary: 'A bare array', value: categories },
      object: { summary: 'An object', value: { categories } },
    },
    answers: {
      created: { summary: 'Both are new', value: { processed: 2, created: 2, updated: 0, errors: [] } },
      parent: {
        summary: 'A parent that is not known yet',
        value: {
          processed: 2,
          created: 1,
          updated: 1,
          errors: [{ id_erp: 'C-11', message: 'Parent category with id_erp=C-10 not found.' }],
        },
      },
      slug: {
        summary: 'A slug that is taken',
        value: {
          processed: 1,
          created: 1,
          updated: 0,
          errors: [{ id_erp: 'C-12', message: 'Slug "brake-pads" is already taken; saved as "brake-pads-2".' }],
        },
      },
    },
  },
  deactivateCategories: {
    requests: { ids: { summary: 'Two categories', value: { ids_erp: ['C-11', 'C-99'] } } },
    answers: {
      done: { summary: 'One of them was never seen', value: { requested: 2, deactivated: 1, not_found: ['C-99'] } },
    },
  },
  upsertProducts: {
    requests: {
      array: { summary: 'A bare array', value: [product] },
      object: {
        summary: 'An object',
        value: { products: [product, { id_erp: 'P/0002', name: 'Колодки тормозные, задние', images: [] }] },
      },
    },
    answers: {
      updated: { summary: 'One new, one known', value: { processed: 2, created: 1, updated: 1, errors: [] } },
      entries: {
        summary: 'Saved, with what could not be done',
        value: {
          processed: 2,
          created: 2,
          updated: 0,
          errors: [
            { id_erp: 'P/0001', message: 'Category with id_erp=C-11 not found.' },
            { id_erp: 'P/0001', message: 'Image could not be downloaded: https://erp.example.org/images/nb-1204.jpg' },
          ],
        },
      },
      detailed: {
        summary: 'With `X-Result-Details: 1`',
        value: {
          processed: 2,
          created: 1,
          updated: 1,
          errors: [
            { id_erp: 'P/0001', message: 'Image could not be downloaded: https://erp.example.org/images/nb-1204.jpg' },
          ],
          details: {
            unchanged: 1,
            media_pending: 0,
            ignored_fields: { price: 2 },
            items: [
              {
                index: 0,
                key: 'P/0001',
                path: 'images.0.url',
                code: 'image_failed',
                level: 'failed',
                message: 'Image could not be downloaded: https://erp.example.org/images/nb-1204.jpg',
                reason: 'status 404',
              },
            ],
          },
        },
      },
      rejected: {
        summary: 'With `X-Error-Policy: reject-failed-rows`',
        value: {
          processed: 2,
          created: 1,
          updated: 0,
          errors: [{ id_erp: 'P/0002', message: 'The name field is required.' }],
        },
      },
    },
  },
  deactivateProducts: {
    requests: { ids: { summary: 'Two products', value: { ids_erp: ['P/0001', 'P/0404'] } } },
    answers: {
      done: { summary: 'One of them was never seen', value: { requested: 2, deactivated: 1, not_found: ['P/0404'] } },
    },
  },
  updateStocks: {
    requests: {
      array: { summary: 'A bare array', value: stocks },
      object: { summary: 'An object', value: { stocks } },
    },
    answers: supplyAnswers,
  },
  updatePrices: {
    requests: {
      array: { summary: 'A bare array', value: prices },
      object: { summary: 'An object', value: { prices } },
    },
    answers: supplyAnswers,
  },
} satisfies Record<string, Exchange>
