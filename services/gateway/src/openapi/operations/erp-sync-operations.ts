import {
  fullSync,
  fullSyncCompletion,
  fullSyncInProgress,
  fullSyncRefusal,
  notSentPage,
} from '@partsbus/contracts/catalog/full-sync'
import { messageAnswer } from '@partsbus/contracts/gateway/answer'
import { MAX_SMALL_BODY_BYTES } from '@partsbus/contracts/message'
import { refusals, violations } from './error-responses.js'
import type { Answer, Operation, Parameter } from './operation.js'

const example = {
  id: '692041c0a1f4b2c3d4e5f607',
  status: 'open',
  started_at: '2026-11-21T01:00:00.000Z',
  expires_at: '2026-11-28T01:00:00.000Z',
  deactivated: { categories: 0, products: 0 },
}
const completed = { ...example, status: 'completed', deactivated: { categories: 0, products: 12 } }

const answer = (description: string, value: unknown): Answer => ({
  description,
  schema: fullSync,
  examples: { sync: { summary: 'The full sync', value } },
})
const conflict = (description: string, schema: Answer['schema'], value: { message: string }): Answer => ({
  description,
  ...(schema && { schema }),
  examples: { conflict: { summary: value.message, value } },
})

const always: Readonly<Record<number, Answer>> = {
  401: refusals.erpToken,
  403: refusals.erpAddress,
  429: refusals.rateLimited,
  503: refusals.erpDisabled,
  504: refusals.timeout,
}
const shared = { tag: 'ERP', security: 'erp' } as const
const id: Parameter = {
  in: 'path',
  name: 'id',
  description: 'As `POST /api/erp/full-sync` returned it.',
  schema: { type: 'string' },
  example: example.id,
}
const one = { ...shared, parameters: [id] }
const notOpen = conflict('It was completed or cancelled.', messageAnswer, { message: 'The full sync is not open.' })

/** A load of everything (docs/spec/erp.md#full-sync). */
export const erpSyncOperations: readonly Operation[] = [
  {
    ...shared,
    method: 'POST',
    path: '/api/erp/full-sync',
    summary: 'Start a full sync',
    description: `Starts a load of everything. Send all categories and products with the header
\`X-Full-Sync: <id>\`, then complete it: what was not sent is deactivated. One at a time; it stays open for 7 days.`,
    answers: {
      200: answer('Started.', example),
      409: conflict('Another one is open. Go on with it, or cancel it.', fullSyncInProgress, {
        message: 'A full sync is in progress.',
        ...{ full_sync: example },
      }),
      ...always,
    },
  },
  {
    ...one,
    method: 'GET',
    path: '/api/erp/full-sync/{id}',
    summary: 'Look at a full sync',
    description: 'Its status, and what it deactivates. Kept for 7 days.',
    answers: { 200: answer('The full sync.', completed), 404: refusals.notFound, ...always },
  },
  {
    ...shared,
    method: 'GET',
    path: '/api/erp/full-sync/{id}/not-sent',
    summary: 'List what was not sent',
    description: `The active items of one kind that completing the sync now would deactivate, at most 1,000 at a time. A
kind that no batch of the sync has sent has none.`,
    parameters: [
      id,
      {
        in: 'query',
        name: 'kind',
        required: true,
        description: 'Which items to list.',
        schema: { type: 'string', enum: ['categories', 'products'] },
        example: 'products',
      },
      {
        in: 'query',
        name: 'after',
        description: 'The `next_after` of the page before.',
        schema: { type: 'integer', minimum: 0 },
        example: 48_213,
      },
    ],
    answers: {
      200: {
        description: 'The ids, in the order of their creation.',
        schema: notSentPage,
        examples: {
          page: { summary: 'The last page', value: { ids_erp: ['P/0007', 'P/0102'], next_after: null } },
        },
      },
      404: refusals.notFound,
      409: notOpen,
      422: violations('The kind is missing or unknown, or `after` is no integer.', {
        kind: ['The kind field is required.'],
      }),
      ...always,
    },
  },
  {
    ...one,
    method: 'POST',
    path: '/api/erp/full-sync/{id}/complete',
    summary: 'Deactivate what was not sent',
    description: `Deactivates the active products and categories that no batch of the sync has sent, as the delete calls
do. Kinds that no batch has sent are left alone, and so is what was created since the start. When more than
\`max_deactivated_percent\` of the active items of a kind would be deactivated, nothing is: 409 with the counts, and
\`GET /api/erp/full-sync/{id}/not-sent\` names the items. A large one may be answered \`completing\`; it goes on in the
background, also after a restart. May be repeated.`,
    body: {
      description: 'The limit.',
      content: fullSyncCompletion,
      examples: { limit: { summary: 'At most a tenth', value: { max_deactivated_percent: 10 } } },
    },
    answers: {
      200: answer('Completed, or being completed.', completed),
      400: refusals.malformed,
      404: refusals.notFound,
      409: conflict('Too many items would be deactivated, or it was cancelled.', fullSyncRefusal, {
        message: 'More items would be deactivated than allowed.',
        ...{ counts: { categories: { active: 40, not_sent: 0 }, products: { active: 1_000, not_sent: 420 } } },
      }),
      413: refusals.tooLarge(MAX_SMALL_BODY_BYTES),
      415: refusals.mediaType,
      422: violations('The limit is missing or invalid.', {
        max_deactivated_percent: ['The max_deactivated_percent field is required.'],
      }),
      ...always,
    },
  },
  {
    ...one,
    method: 'POST',
    path: '/api/erp/full-sync/{id}/cancel',
    summary: 'Cancel a full sync',
    description: 'Ends it without deactivating anything. Batches may then no longer name it.',
    answers: {
      200: answer('Cancelled.', { ...example, status: 'cancelled' }),
      404: refusals.notFound,
      409: notOpen,
      ...always,
    },
  },
]
