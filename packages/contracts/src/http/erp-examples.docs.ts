/*
 * Batches of the ERP and their answers, where the forms of a body or the entries of `errors` are to be shown.
 */

const categories = [
  { id_erp: 'C-10', name: 'Тормозная система', sort_order: 10 },
  { id_erp: 'C-11', parent_id_erp: 'C-10', name: 'Brake pads', slug: 'brake-pads' },
]
const product = {
  id_erp: 'P/0001',
  name: 'Brake pad set, front',
  brand: 'NORDBREMS',
  article: 'NB-1204',
  category_id_erp: 'C-11',
  attributes: [{ name: 'Thickness', value: '17.5', type: 'mm' }],
  images: [{ url: 'https://erp.example.org/images/nb-1204.jpg', sort_order: 0, is_main: true }],
}
const failedImage = {
  id_erp: 'P/0001',
  message: 'Image could not be downloaded: https://erp.example.org/images/nb-1204.jpg',
}

export const upsertCategories = {
  requests: { 'A bare array': categories, 'An object': { categories } },
  answers: {
    'Both are new': { processed: 2, created: 2, updated: 0, errors: [] },
    'A parent that is not known yet': {
      processed: 2,
      created: 1,
      updated: 1,
      errors: [{ id_erp: 'C-11', message: 'Parent category with id_erp=C-10 not found.' }],
    },
    'A slug that is taken': {
      processed: 1,
      created: 1,
      updated: 0,
      errors: [{ id_erp: 'C-12', message: 'Slug "brake-pads" is already taken; saved as "brake-pads-2".' }],
    },
  },
}

export const upsertProducts = {
  requests: {
    'A bare array': [product],
    'An object': { products: [product, { id_erp: 'P/0002', name: 'Колодки тормозные, задние', images: [] }] },
  },
  answers: {
    'One new, one known': { processed: 2, created: 1, updated: 1, errors: [] },
    'Saved, with what could not be done': {
      processed: 2,
      created: 2,
      updated: 0,
      errors: [{ id_erp: 'P/0001', message: 'Category with id_erp=C-11 not found.' }, failedImage],
    },
    'With `X-Result-Details: 1`': {
      processed: 2,
      created: 1,
      updated: 1,
      errors: [failedImage],
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
            message: failedImage.message,
            reason: 'status 404',
          },
        ],
      },
    },
    'With `X-Error-Policy: reject-failed-rows`': {
      processed: 2,
      created: 1,
      updated: 0,
      errors: [{ id_erp: 'P/0002', message: 'The name field is required.' }],
    },
  },
}

/** Of a batch of stock and of one of prices. */
export const written = {
  'Both written': { processed: 2, updated: 2, errors: [] },
  'A product that is not known': {
    processed: 2,
    updated: 1,
    errors: [{ product_id_erp: 'P/0002', message: 'Product not found for given ERP ID.' }],
  },
}
