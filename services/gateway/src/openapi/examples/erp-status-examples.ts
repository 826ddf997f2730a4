import type { Exchange } from './erp-examples.js'

const product = {
  id_erp: 'P/0001',
  found: true,
  slug: 'brake-pad-set-front-nb-1204',
  is_active: true,
  is_deleted: false,
  updated_at: '2026-11-21T09:30:00.000Z',
  images: {
    done: 1,
    pending: 0,
    failed: 1,
    problems: [
      {
        url: 'https://erp.example.org/images/nb-1204-b.jpg',
        attempts: 6,
        reason: 'status 404',
        is_retried: false,
      },
    ],
  },
  stock: {
    quantity: 24,
    reserved: 2,
    shipped: 0,
    supply_date: '2026-11-21T00:00:00.000Z',
    delivery_days: 2,
  },
  prices: { selling_price: 2490, purchase_price: 1610.5, old_price: 2990 },
}

/** Of the calls that say what arrived. */
export const erpStatusExamples = {
  products: {
    requests: {
      ids: { summary: 'Two products', value: { ids_erp: ['P/0001', 'P/0404'] } },
      fields: { summary: 'With what was written', value: { ids_erp: ['P/0001'], fields: true } },
    },
    answers: {
      found: {
        summary: 'One of them was never sent',
        value: {
          products: [
            product,
            {
              id_erp: 'P/0404',
              found: false,
              slug: null,
              is_active: null,
              is_deleted: null,
              updated_at: null,
              images: null,
              stock: null,
              prices: null,
            },
          ],
        },
      },
      fields: {
        summary: 'With what was written',
        value: {
          products: [
            {
              ...product,
              name: 'Brake pad set, front',
              brand: 'NORDBREMS',
              article: 'NB-1204',
              category_ids_erp: ['C-11'],
              attributes: [
                { name: 'Thickness', type: 'mm', value: '17.5' },
                { name: 'Side', type: '', value: 'front' },
              ],
            },
          ],
        },
      },
    },
  },
  categories: {
    requests: { ids: { summary: 'Two categories', value: { ids_erp: ['C-11', 'C-404'] } } },
    answers: {
      found: {
        summary: 'One waits for its parent, one was never sent',
        value: {
          categories: [
            {
              id_erp: 'C-11',
              found: true,
              name: 'Brake pads',
              parent_id_erp: null,
              pending_parent_id_erp: 'C-10',
              slug: 'brake-pads',
              is_active: true,
              updated_at: '2026-11-21T09:30:00.000Z',
              images: { done: 1, pending: 0, failed: 0, problems: [] },
            },
            {
              id_erp: 'C-404',
              found: false,
              name: null,
              parent_id_erp: null,
              pending_parent_id_erp: null,
              slug: null,
              is_active: null,
              updated_at: null,
              images: null,
            },
          ],
        },
      },
    },
  },
  batches: {
    requests: {},
    answers: {
      two: {
        summary: 'One processed, one refused',
        value: {
          batches: [
            {
              at: '2026-11-21T09:30:01.000Z',
              request_id: 'night-2026-11-21-0002',
              call: 'stocks/batch-update',
              status: 422,
              duration_ms: 12,
              counts: null,
            },
            {
              at: '2026-11-21T09:30:00.000Z',
              request_id: 'night-2026-11-21-0001',
              call: 'products/batch-upsert',
              status: 200,
              duration_ms: 340,
              counts: { processed: 1000, created: 3, updated: 997, errors: 1, unchanged: 950 },
            },
          ],
        },
      },
    },
  },
} satisfies Record<string, Exchange>
