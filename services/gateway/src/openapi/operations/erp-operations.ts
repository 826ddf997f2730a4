import { pong } from '@partsbus/contracts/gateway/answer'
import {
  deactivateCategories,
  deactivateProducts,
  upsertCategories,
  upsertProducts,
} from '@partsbus/contracts/catalog/commands'
import { MAX_BODY_BYTES } from '@partsbus/contracts/message'
import { updatePrices, updateStocks } from '@partsbus/contracts/stock/commands'
import { erpExamples } from '../examples/erp-examples.js'
import { refusals, violations } from './error-responses.js'
import { batchHeaders, fullSyncHeader, resultDetails, updateMode } from './erp-parameters.js'
import type { Answer, Body, Operation, Parameter, Schema } from './operation.js'

const limits = (what: 'items' | 'ids') =>
  `At most \`erp_max_batch_items\` ${what} (a setting, 1,000 unless changed, never above 5,000) and 8 MiB.`

/** Error answers of every endpoint of the ERP API. */
export const always: Readonly<Record<number, Answer>> = {
  401: refusals.erpToken,
  403: refusals.erpAddress,
  429: refusals.rateLimited,
  503: refusals.erpDisabled,
}
const withBody: Readonly<Record<number, Answer>> = {
  400: refusals.malformed,
  ...always,
  413: refusals.tooLarge(MAX_BODY_BYTES),
  415: refusals.mediaType,
  504: refusals.timeout,
}

interface Post {
  path: string
  summary: string
  description: string
  body: Body
  answers: Readonly<Record<number, Answer>>
  parameters?: readonly Parameter[]
}

export const post = ({ path, answers, ...rest }: Post): Operation => ({
  method: 'POST',
  path: `/api/erp${path}`,
  tag: 'ERP',
  security: 'erp',
  ...rest,
  answers: { ...withBody, ...answers },
})

const done = (schema: Schema, examples: Answer['examples']): Answer => ({
  description: 'Processed. Errors of single items are entries of the body and do not change the status.',
  schema,
  ...(examples && { examples }),
})

/** The ERP API (docs/spec/erp.md). */
export const erpOperations: readonly Operation[] = [
  {
    method: 'GET',
    path: '/api/erp/ping',
    tag: 'ERP',
    security: 'erp',
    summary: 'Try the connection',
    description:
      'Returns 200 when the integration is enabled and the token and the address are accepted. A body is ignored.',
    answers: {
      200: {
        description: 'Everything passes.',
        schema: pong,
        examples: { ok: { summary: 'Reached', value: { status: 'ok' } } },
      },
      ...always,
    },
  },
  post({
    path: '/categories/batch-upsert',
    summary: 'Create or update categories',
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
    parameters: [...batchHeaders, fullSyncHeader],
    body: {
      description: `A bare array, or an object with \`categories\`. ${limits('items')}`,
      content: upsertCategories,
      examples: erpExamples.upsertCategories.requests,
    },
    answers: {
      200: done(upsertCategories.reply, erpExamples.upsertCategories.answers),
      422: violations('The batch is not valid; nothing was written.', {
        'categories.0.name': ['The name field is required.'],
        'categories.3.slug': ['The slug must not be greater than 191 characters.'],
      }),
    },
  }),
  post({
    path: '/categories/delete',
    summary: 'Deactivate categories',
    description:
      'Sets `is_active` to false; nothing is deleted, and categories below stay active. An inactive category also ' +
      'counts as `deactivated`; an id ' +
      'sent twice counts once there, while `requested` is the length sent.',
    parameters: [resultDetails],
    body: {
      description: `The ERP ids. ${limits('ids')}`,
      content: deactivateCategories.request,
      examples: erpExamples.deactivateCategories.requests,
    },
    answers: {
      200: done(deactivateCategories.reply, erpExamples.deactivateCategories.answers),
      422: violations('The list is missing or invalid; nothing was written.', {
        ids_erp: ['The ids_erp field is required.'],
      }),
    },
  }),
  post({
    path: '/products/batch-upsert',
    summary: 'Create or update products',
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
    parameters: [...batchHeaders, updateMode, fullSyncHeader],
    body: {
      description: `A bare array, or an object with \`products\`. ${limits('items')}`,
      content: upsertProducts,
      examples: erpExamples.upsertProducts.requests,
    },
    answers: {
      200: done(upsertProducts.reply, erpExamples.upsertProducts.answers),
      422: violations('The batch is not valid; nothing was written. A bare array has paths like `3.name`.', {
        'products.3.name': ['The name field is required.'],
        'products.7.attributes.0.type': ['The type must not be greater than 50 characters.'],
      }),
    },
  }),
  post({
    path: '/products/delete',
    summary: 'Delete products',
    description:
      'Sets `is_active` to false and marks the product as deleted; an upsert restores it. Counted like categories.',
    parameters: [resultDetails],
    body: {
      description: `The ERP ids. ${limits('ids')}`,
      content: deactivateProducts.request,
      examples: erpExamples.deactivateProducts.requests,
    },
    answers: {
      200: done(deactivateProducts.reply, erpExamples.deactivateProducts.answers),
      422: violations('The list is missing or invalid; nothing was written.', {
        'ids_erp.2': ['The ids_erp.2 must be a string.'],
      }),
    },
  }),
  post({
    path: '/stocks/batch-update',
    summary: 'Write stock levels',
    description: `Writes to the storage and the pick-up point of the settings \`erp_storage_id\` and
\`erp_pick_up_point_id\`. Prices, \`reserved\` and \`shipped\` are never changed;
prices are written by \`POST /prices/batch-update\`.

- \`supply_date\` is an ISO 8601 date or date-time that exists; a date is midnight UTC. Empty: the stored one, else
  the current time.
- \`delivery_days\`, when empty: the stored one, else 0.
- A product that is unknown or deleted is an entry in \`errors\`, and its item is skipped. \`updated\` counts the
  items written.`,
    parameters: batchHeaders,
    body: {
      description: `A bare array, or an object with \`stocks\`. ${limits('items')}`,
      content: updateStocks,
      examples: erpExamples.updateStocks.requests,
    },
    answers: {
      200: done(updateStocks.reply, erpExamples.updateStocks.answers),
      422: violations('The batch is not valid; nothing was written.', {
        'stocks.0.quantity': ['The quantity must be at least 0.'],
        'stocks.1.supply_date': ['The supply_date is not a valid date.'],
      }),
      500: refusals.erpStorage,
    },
  }),
  post({
    path: '/prices/batch-update',
    summary: 'Write prices',
    description: `Writes to the storage and the pick-up point of the settings \`erp_storage_id\` and
\`erp_pick_up_point_id\`. The quantity, \`supply_date\`, \`delivery_days\`, \`reserved\` and \`shipped\` are never
changed.

- Each of \`selling_price\`, \`purchase_price\` and \`old_price\` is a number of at least 0 with at most two decimals,
  or \`null\` for no price. A price that is not sent stays. An item without any of them is 422.
- A product without stock gets a stock record with the quantity 0, so prices may be sent before stock.
- A product that is unknown or deleted is an entry in \`errors\`, and its item is skipped. \`updated\` counts the
  items written.
- Partners get \`selling_price\`; the other two are for the shop.`,
    parameters: batchHeaders,
    body: {
      description: `A bare array, or an object with \`prices\`. ${limits('items')}`,
      content: updatePrices,
      examples: erpExamples.updatePrices.requests,
    },
    answers: {
      200: done(updatePrices.reply, erpExamples.updatePrices.answers),
      422: violations('The batch is not valid; nothing was written.', {
        'prices.0.selling_price': ['The selling_price must not have more than two decimals.'],
        'prices.1.old_price': ['The old_price must be at least 0.'],
      }),
      500: refusals.erpStorage,
    },
  }),
]
