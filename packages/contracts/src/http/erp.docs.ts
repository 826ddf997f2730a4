import { MAX_SMALL_BODY_BYTES } from '../message.js'
import { type DocsOf, tooLarge } from './docs.js'
import { upsertCategories, upsertProducts, written } from './erp-examples.docs.js'
import type { erpRows } from './erp.js'

const limits = (what: 'items' | 'ids') =>
  `At most \`erp_max_batch_items\` ${what} (a setting, 1,000 unless changed, never above 5,000) and 8 MiB.`
const batch = (key: string) => `A bare array, or an object with \`${key}\`. ${limits('items')}`

const PROCESSED = 'Processed. Errors of single items are entries of the body and do not change the status'
const REFUSED = 'The batch is not valid; nothing was written.'
const REFUSED_IDS = 'The list is missing or invalid; nothing was written.'

const states = {
  body: 'The ERP ids, at most 1,000, and no more than `erp_max_batch_items`.',
  result: 'What is stored',
  invalid: 'The list is missing or invalid.',
  violations: { ids_erp: ['The ids_erp must not have more than 1000 items (setting erp_max_batch_items).'] },
}
const notOpen = { description: 'It was completed or cancelled.', messages: ['The full sync is not open.'] }

const openSync = {
  id: '692041c0a1f4b2c3d4e5f607',
  status: 'open',
  started_at: '2026-11-21T01:00:00.000Z',
  expires_at: '2026-11-28T01:00:00.000Z',
  deactivated: { categories: 0, products: 0 },
}
const counts = { categories: { active: 40, not_sent: 0 }, products: { active: 1_000, not_sent: 420 } }

export const erpDocs: DocsOf<typeof erpRows> = {
  'GET /ping': {
    description:
      'Returns 200 when the integration is enabled and the token and the address are accepted. A body is ignored.',
    result: 'Everything passes',
  },
  'POST /categories/batch-upsert': {
    description: `A category is identified by \`id_erp\`. The items are written in their order, as if sent one after
the other, then their parents are linked.

- \`slug\`: used as sent when it consists of letters, digits and \`-_.~\`; otherwise normalised, with an entry in
  \`errors\`. Taken by another category: saved with a suffix (\`-2\`, \`-3\` …), with an entry. Not sent: generated
  from the name on create, and unchanged on update.
- \`parent_id_erp\`: absent leaves the parent as it is, \`null\` makes a root. An unknown parent is an entry; the old
  parent stays, and the link is made as soon as that parent arrives in a later batch. A link that would close a cycle
  is not made and is an entry.
- \`image_url\`: absent leaves the image, \`null\` removes it. The category is saved first and the image fetched then;
  the response waits for it up to \`media_wait_ms\`, after which the download continues in the background. An image
  that failed by then is an entry, and the old one stays.
- An item that changes nothing is not written and counts as \`updated\`.`,
    body: batch('categories'),
    result: PROCESSED,
    ...upsertCategories,
    invalid: REFUSED,
    violations: {
      'categories.0.name': ['The name field is required.'],
      'categories.3.slug': ['The slug must not be greater than 191 characters.'],
    },
  },
  'POST /categories/delete': {
    description:
      'Sets `is_active` to false; nothing is deleted, and categories below stay active. An inactive category also ' +
      'counts as `deactivated`; an id ' +
      'sent twice counts once there, while `requested` is the length sent.',
    body: `The ERP ids. ${limits('ids')}`,
    result: PROCESSED,
    invalid: REFUSED_IDS,
    violations: { ids_erp: ['The ids_erp field is required.'] },
  },
  'POST /products/batch-upsert': {
    description: `A product is identified by \`id_erp\`. A deleted product is restored with its \`id\` and counts as
\`updated\`.

- \`name\`, \`brand\`, \`article\`, \`sort_order\` and \`is_active\` are written by every request: absent or \`null\`
  becomes \`null\`, 0 or true.
- A product has one description. \`description_full\` is written to it when it is a string, the empty one included;
  \`description_short\` only while it is empty. Texts are stored as sent, HTML included.
- \`slug\`: as for categories; generated from name and article when it is not sent for a new product.
- \`category_id_erp\` adds a link and keeps the others. An unknown category is an entry in \`errors\`; the link is
  made when it arrives.
- \`attributes\` are merged by name and type, at most 500 an item; those not listed stay, unless
  \`X-Update-Mode: replace\` is sent.
- \`images\`: absent leaves them, \`null\` or \`[]\` removes them, a list of at most 50 replaces them in its order.
  They are fetched after the product was saved, and replaced together. Only http and https, at most three redirects,
  public addresses (or those in \`media_allowed_hosts\`), 10 s, 10 MB, 40 megapixels, JPEG, PNG, WebP or GIF. When
  none of them can be fetched, the old images stay.
- An item that changes nothing is not written and counts as \`updated\`; its image URLs are still checked for changes.`,
    body: batch('products'),
    result: PROCESSED,
    ...upsertProducts,
    invalid: `${REFUSED} A bare array has paths like \`3.name\`.`,
    violations: {
      'products.3.name': ['The name field is required.'],
      'products.7.attributes.0.type': ['The type must not be greater than 50 characters.'],
    },
  },
  'POST /products/delete': {
    description:
      'Sets `is_active` to false and marks the product as deleted; an upsert restores it. Counted like categories.',
    body: `The ERP ids. ${limits('ids')}`,
    result: PROCESSED,
    invalid: REFUSED_IDS,
    violations: { 'ids_erp.2': ['The ids_erp.2 must be a string.'] },
  },
  'POST /stocks/batch-update': {
    description: `Writes to the storage and the pick-up point of the settings \`erp_storage_id\` and
\`erp_pick_up_point_id\`. Prices, \`reserved\` and \`shipped\` are never changed;
prices are written by \`POST /prices/batch-update\`.

- \`supply_date\` is an ISO 8601 date or date-time that exists; a date is midnight UTC. Empty: the stored one, else
  the current time.
- \`delivery_days\`, when empty: the stored one, else 0.
- A product that is unknown or deleted is an entry in \`errors\`, and its item is skipped. \`updated\` counts the
  items written.`,
    body: batch('stocks'),
    result: PROCESSED,
    answers: written,
    invalid: REFUSED,
    violations: {
      'stocks.0.quantity': ['The quantity must be at least 0.'],
      'stocks.1.supply_date': ['The supply_date is not a valid date.'],
    },
  },
  'POST /prices/batch-update': {
    description: `Writes to the storage and the pick-up point of the settings \`erp_storage_id\` and
\`erp_pick_up_point_id\`. The quantity, \`supply_date\`, \`delivery_days\`, \`reserved\` and \`shipped\` are never
changed.

- Each of \`selling_price\`, \`purchase_price\` and \`old_price\` is a number of at least 0 with at most two decimals,
  or \`null\` for no price. A price that is not sent stays. An item without any of them is 422.
- A product without stock gets a stock record with the quantity 0, so prices may be sent before stock.
- A product that is unknown or deleted is an entry in \`errors\`, and its item is skipped. \`updated\` counts the
  items written.
- Partners get \`selling_price\`; the other two are for the shop.`,
    body: batch('prices'),
    result: PROCESSED,
    answers: written,
    invalid: REFUSED,
    violations: {
      'prices.0.selling_price': ['The selling_price must not have more than two decimals.'],
      'prices.1.old_price': ['The old_price must be at least 0.'],
    },
  },
  'POST /products/status': {
    ...states,
    description: `What is stored of up to 1,000 products: one entry for each id, in the order sent.

- \`found\` is false for an id that was never sent; its other fields are \`null\`. Deleted products are found.
- \`images\` counts those that are fetched, pending and given up. \`problems\` says why an image could not be fetched,
  and whether it is tried again.
- \`stock\` and \`prices\` are those at the configured storage and point; \`null\` when there is no record.
- With \`"fields": true\` each entry also has \`name\`, \`brand\`, \`article\`, \`category_ids_erp\` and \`attributes\`
  as they are stored. An answer that does not fit into 8 MiB is 413: ask for fewer products at once.`,
  },
  'POST /categories/status': {
    ...states,
    description: `What is stored of up to 1,000 categories: one entry for each id, in the order sent.

- \`found\` is false for an id that was never sent; its other fields are \`null\`.
- \`parent_id_erp\` is the parent that is linked. \`pending_parent_id_erp\` is one that was sent and has not arrived
  yet; the link is made when it does.
- \`images\` as for products; a category has one image at most.`,
  },
  'GET /batches': {
    description: `The latest 1,000 requests to the batch and delete endpoints, the newest first: when, with which
\`x-request-id\`, the status of the answer, and what it counted. Refused ones are listed with \`counts: null\`; those
that failed authentication are not listed. A batch appears within a second. The list survives restarts; a gateway that
is killed loses what it received in its last second.`,
    result: 'The batches',
  },

  'POST /full-sync': {
    description: `Starts a load of everything. Send all categories and products with the header
\`X-Full-Sync: <id>\`, then complete it: what was not sent is deactivated. One at a time; it stays open for 7 days.`,
    result: 'Started',
    statuses: {
      409: {
        description: 'Another one is open. Go on with it, or cancel it.',
        examples: { 'One that was started at night': { message: 'A full sync is in progress.', full_sync: openSync } },
      },
    },
  },
  'GET /full-sync/:id': {
    description: 'Its status, and what it deactivates. Kept for 7 days.',
    result: 'The full sync',
  },
  'GET /full-sync/:id/not-sent': {
    description: `The active items of one kind that completing the sync now would deactivate, at most 1,000 at a time. A
kind that no batch of the sync has sent has none.`,
    result: 'The ids, in the order of their creation',
    invalid: 'The kind is missing or unknown, or `after` is no integer.',
    violations: { kind: ['The kind field is required.'] },
    statuses: { 409: notOpen },
  },
  'POST /full-sync/:id/complete': {
    description: `Deactivates the active products and categories that no batch of the sync has sent, as the delete calls
do. Kinds that no batch has sent are left alone, and so is what was created since the start. When more than
\`max_deactivated_percent\` of the active items of a kind would be deactivated, nothing is: 409 with the counts, and
\`GET /api/erp/full-sync/{id}/not-sent\` names the items. A large one may be answered \`completing\`; it goes on in the
background, also after a restart. May be repeated.`,
    body: 'The limit.',
    result: 'Completed, or being completed',
    invalid: 'The limit is missing or invalid.',
    violations: { max_deactivated_percent: ['The max_deactivated_percent field is required.'] },
    statuses: {
      409: {
        description: 'Too many items would be deactivated, or it was cancelled.',
        examples: { 'Too many products': { message: 'More items would be deactivated than allowed.', counts } },
      },
      413: tooLarge(MAX_SMALL_BODY_BYTES),
    },
  },
  'POST /full-sync/:id/cancel': {
    description: 'Ends it without deactivating anything. Batches may then no longer name it.',
    result: 'Cancelled',
    statuses: { 409: notOpen },
  },
}
