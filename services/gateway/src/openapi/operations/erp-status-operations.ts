import { categoryStatesRequest, categoryStatusAnswer } from '@partsbus/contracts/catalog/category-state'
import { productStatesRequest, productStatusAnswer } from '@partsbus/contracts/catalog/product-state'
import { erpBatchesAnswer } from '@partsbus/contracts/gateway/erp-batch'
import { erpStatusExamples as examples } from '../examples/erp-status-examples.js'
import { always, post } from './erp-operations.js'
import { violations } from './error-responses.js'
import type { Operation } from './operation.js'

const ids = 'The ERP ids, at most 1,000, and no more than `erp_max_batch_items`.'
const tooMany = violations('The list is missing or invalid.', {
  ids_erp: ['The ids_erp must not have more than 1000 items (setting erp_max_batch_items).'],
})

/** What arrived (docs/spec/erp.md#status, #category-status, #batch-list). */
export const erpStatusOperations: readonly Operation[] = [
  post({
    path: '/products/status',
    summary: 'Ask what arrived of products',
    description: `What is stored of up to 1,000 products: one entry for each id, in the order sent.

- \`found\` is false for an id that was never sent; its other fields are \`null\`. Deleted products are found.
- \`images\` counts those that are fetched, pending and given up. \`problems\` says why an image could not be fetched,
  and whether it is tried again.
- \`stock\` and \`prices\` are those at the configured storage and point; \`null\` when there is no record.
- With \`"fields": true\` each entry also has \`name\`, \`brand\`, \`article\`, \`category_ids_erp\` and \`attributes\`
  as they are stored. An answer that does not fit into 8 MiB is 413: ask for fewer products at once.`,
    body: { description: ids, content: productStatesRequest, examples: examples.products.requests },
    answers: {
      200: {
        description: 'What is stored.',
        schema: productStatusAnswer,
        examples: examples.products.answers,
      },
      422: tooMany,
    },
  }),
  post({
    path: '/categories/status',
    summary: 'Ask what arrived of categories',
    description: `What is stored of up to 1,000 categories: one entry for each id, in the order sent.

- \`found\` is false for an id that was never sent; its other fields are \`null\`.
- \`parent_id_erp\` is the parent that is linked. \`pending_parent_id_erp\` is one that was sent and has not arrived
  yet; the link is made when it does.
- \`images\` as for products; a category has one image at most.`,
    body: { description: ids, content: categoryStatesRequest, examples: examples.categories.requests },
    answers: {
      200: {
        description: 'What is stored.',
        schema: categoryStatusAnswer,
        examples: examples.categories.answers,
      },
      422: tooMany,
    },
  }),
  {
    method: 'GET',
    path: '/api/erp/batches',
    tag: 'ERP',
    security: 'erp',
    summary: 'List the latest batches',
    description: `The latest 1,000 requests to the batch and delete endpoints, the newest first: when, with which
\`x-request-id\`, the status of the answer, and what it counted. Refused ones are listed with \`counts: null\`; those
that failed authentication are not listed. A batch appears within a second. The list survives restarts; a gateway that
is killed loses what it received in its last second.`,
    answers: {
      200: {
        description: 'The batches.',
        schema: erpBatchesAnswer,
        examples: examples.batches.answers,
      },
      ...always,
    },
  },
]
