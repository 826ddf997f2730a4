import {
  brandsAnswer,
  importStatusAnswer,
  importStatusRequest,
  partsAnswer,
  pickUpPointsAnswer,
  refusalAnswer,
  refusedBodyAnswer,
  refusedFieldsAnswer,
  uploadAnswer,
} from '@partsbus/contracts/gateway/answer'
import { bodyTooLarge, texts } from '@partsbus/contracts/errors'
import { brandsRequest, partsRequest } from '@partsbus/contracts/supplier-search/commands'
import type { Violations } from '@partsbus/contracts/violation'
import { MAX_SMALL_BODY_BYTES } from '@partsbus/contracts/message'
import * as examples from '../examples/b2b-examples.js'
import { MALFORMED_TEXT, notUtf8, violations } from './error-responses.js'
import type { Answer, Example, Operation, Schema } from './operation.js'

const refusal = (description: string, ...list: string[]): Answer => ({
  description,
  schema: refusalAnswer,
  examples: Object.fromEntries(
    list.map((message, at) => [`message${at + 1}`, { summary: message, value: { result: false, message } }]),
  ),
})
const refusedFields = (description: string, errors: Violations): Answer => ({
  description,
  schema: refusedFieldsAnswer,
  examples: {
    violations: { summary: 'The violations by field', value: { result: false, message: texts.invalid, errors } },
  },
})

const unavailable =
  'A service behind the gateway is unreachable or overloaded. Repeat the request after the seconds in `Retry-After`.'
/** Error answers of every endpoint of the partner API. */
const always: Readonly<Record<number, Answer>> = {
  401: refusal(
    'The header `Authorization: Bearer <token>` is missing or malformed, or the token is not the current one.',
    texts.unauthenticated,
  ),
  429: {
    ...refusal('The rate limit is exceeded. There is none unless an administrator sets one.', 'Too many requests.'),
    headers: ['Retry-After'],
  },
  500: refusal('No token is configured; checked before the header.', 'B2B API token is not configured.'),
  503: {
    ...refusal(`The API is disabled (checked first), or: ${unavailable}`, 'B2B API is disabled.', texts.unavailable),
    headers: ['Retry-After'],
  },
  504: refusal('A service did not respond in time.', texts.timeout),
}
const withBody: Readonly<Record<number, Answer>> = {
  ...always,
  400: {
    description: MALFORMED_TEXT,
    schema: refusedBodyAnswer,
    examples: {
      message: { summary: texts.malformedJson, value: { result: false, message: texts.malformedJson } },
      byte: {
        summary: 'Not UTF-8',
        value: { result: false, message: texts.malformedJson, body_error: notUtf8 },
      },
    },
  },
  413: refusal('The body is larger than 1 MiB. The connection is closed.', bodyTooLarge(MAX_SMALL_BODY_BYTES)),
  415: refusal('The body is not sent as `application/json`, or is compressed.', texts.mediaType, texts.encoding),
}

const post = (path: string, rest: Omit<Operation, 'method' | 'path' | 'tag' | 'security'>): Operation => ({
  method: 'POST',
  path: `/api/b2b${path}`,
  tag: 'B2B',
  security: 'b2b',
  ...rest,
})
const done = (description: string, schema: Schema, list: Record<string, Example>): Answer => ({
  description,
  schema,
  examples: list,
})

const POINTS =
  '`pick_up_points`: absent or `null`, the storages of the setting `storages_for_crosses` are asked; a list, the ' +
  'active storages linked to those of the points that are active; `[]` or only unknown points, none, and the ' +
  'answer is empty.'
const ANSWERED =
  '`message` is `OK`, or says how many suppliers did not answer: `Partial result: 1 of 3 suppliers did not ' +
  'answer.` When none answered, `result` is `false`, the list is empty and `message` is `No supplier answered.`; ' +
  'the status is still 200. A message like `Partial result: 5000 of 7000 parts.` says that the most expensive ' +
  'parts are left out. The header `x-suppliers` lists the outcome of each storage: `ok`, `partial`, `timeout` or ' +
  '`error`; it has at most 3 KB, beyond which outcomes other than `ok` come first and `+N` is the number of ' +
  'storages that are not listed. An answer comes within 10 s.'
const ARTICLE =
  'Articles are compared by their letters (of any script) and digits only, in upper case: `0 986-424 590` is ' +
  '`0986424590`; leading zeros count.'

const partial: Example['value'] = { result: true, message: 'Partial result: 1 of 3 suppliers did not answer.' }
const none: Example['value'] = { result: false, message: 'No supplier answered.' }

/** The partner API (docs/spec/partners.md). */
export const b2bOperations: readonly Operation[] = [
  post('/get-pick-up-points', {
    summary: 'List pick-up points',
    description: 'The active pick-up points, by `id`. The body and its media type are ignored.',
    answers: {
      ...always,
      200: done('The points.', pickUpPointsAnswer, {
        points: {
          summary: 'One point',
          value: { result: true, message: 'OK', pick_up_points: [examples.offeredPickUpPoint] },
        },
      }),
    },
  }),
  post('/get-brands', {
    summary: 'Find the brands of an article',
    description: `The brands that have offers for this article, and their storages. ${ARTICLE}

- Brands are compared without case, quotes and double spaces, and synonyms that an administrator defined are one
  brand. Entries without a name, or with \`-\`, are dropped.
- ${POINTS}
- Ordered by brand, then article; \`storages\` by id.
- ${ANSWERED}`,
    body: {
      description: 'The article, at most 191 characters, and up to 1,000 points.',
      content: brandsRequest,
      examples: {
        point: { summary: 'At one pick-up point', value: examples.brandsRequest },
        article: { summary: 'In the default storages', value: { article: 'OC 90' } },
      },
    },
    answers: {
      ...withBody,
      200: {
        ...done('The results; there may be none.', brandsAnswer, {
          found: {
            summary: 'One brand in two storages',
            value: { result: true, message: 'OK', brands: examples.brandEntries },
          },
          partial: {
            summary: 'A supplier did not answer',
            value: { ...(partial as object), brands: examples.brandEntries },
          },
          none: { summary: 'No supplier answered', value: { ...(none as object), brands: [] } },
        }),
        headers: ['X-Suppliers'],
      },
      422: refusedFields('The request breaks a constraint.', {
        article: ['The article field is required.'],
        'pick_up_points.0': ['The pick_up_points.0 must be an integer.'],
      }),
    },
  }),
  post('/get-parts', {
    summary: 'Find offers of an article',
    description: `Offers of these brands with a quantity above 0. ${ARTICLE}

- \`brands\`: any spelling of a brand; each supplier is asked by its own spelling. An unknown brand gives an empty list.
- ${POINTS}
- \`price\` and \`delivery_days\` are present when the supplier sent them. Prices have at most two decimals.
- Ordered by price, then delivery days (missing values last), brand, article and storage.
- ${ANSWERED}`,
    body: {
      description: 'The article, 1 to 100 brands, and up to 1,000 points.',
      content: partsRequest,
      examples: { brands: { summary: 'Two brands', value: examples.partsRequest } },
    },
    answers: {
      ...withBody,
      200: {
        ...done('The results; there may be none.', partsAnswer, {
          found: { summary: 'Two offers', value: { result: true, message: 'OK', parts: examples.parts } },
          partial: {
            summary: 'A supplier did not answer',
            value: { ...(partial as object), parts: examples.parts.slice(1) },
          },
          none: { summary: 'No supplier answered', value: { ...(none as object), parts: [] } },
        }),
        headers: ['X-Suppliers'],
      },
      422: refusedFields('The request breaks a constraint.', {
        article: ['The article must be a string.'],
        brands: ['The brands field is required.'],
      }),
    },
  }),
  post('/upload-price-list', {
    summary: 'Upload a price list',
    description: `Takes a file and schedules its import. On 200 the file and the task are durable. Follow the task
with \`get-price-list-status\`.

- The fields may come in any order; others are ignored, \`tech_key\` among them.
- Errors are reported in this order: missing, wrong-typed or unknown fields (one 422 that lists all of them), an
  inactive list, an invalid file, a file that could not be stored.
- A file is valid when its name ends in \`.csv\`, \`.txt\`, \`.xls\`, \`.xlsx\`, \`.zip\` or \`.rar\`, its bytes agree
  with that, it is not empty and not larger than the setting \`price-lists.import.max_file_size\`. An archive holds
  exactly one file of the other kinds, not encrypted, not in volumes, and does not unpack to more than 20 times that
  limit.
- The same file may be uploaded again: it creates a second task, and the newest upload goes live.`,
    form: {
      description: 'The list and the file.',
      fields: {
        id: {
          schema: { type: 'integer', minimum: 1, description: 'id of a price list that an administrator configured' },
          required: true,
          example: 7,
        },
        document: {
          schema: { type: 'string', format: 'binary', description: 'the file, with its name' },
          required: true,
          example: 'price.csv',
        },
        tech_key: { schema: { type: 'string', description: 'reserved, and ignored' }, required: false },
      },
    },
    answers: {
      ...always,
      200: done('The import is scheduled.', uploadAnswer, {
        scheduled: {
          summary: 'The task',
          value: { result: true, message: 'Price list upload scheduled for import.', task_id: 41 },
        },
      }),
      400: refusal(
        'The list is not active, the file is not valid, or the form is malformed. A form that exceeds the limit ' +
          'of a file by more than 1 MiB is not read, and the connection is closed.',
        'Price list is not active.',
        'Uploaded file is not valid.',
        'The request body is not a valid multipart form.',
      ),
      415: refusal('The body is not a form, or it is compressed.', texts.formType, texts.encoding),
      422: refusedFields('Fields are missing, wrong-typed or unknown.', {
        id: ['The selected id is invalid.'],
        document: ['The document field is required.'],
      }),
      500: refusal(
        'The file could not be stored, or no token is configured.',
        'Failed to store uploaded file.',
        'B2B API token is not configured.',
      ),
    },
  }),
  post('/get-price-list-status', {
    summary: 'Follow an import',
    description: `The state of an import: \`pending\` → \`processing\` → \`completed\` or \`failed\`, and these two
never change.

- \`imported_rows + skipped_rows = processed_rows ≤ total_rows\` at every reading, equal at the end. \`total_rows\` is
  known before the first row is imported.
- \`completed\`: at least one row was imported. \`failed\`: \`error_message\` says what to do; the list that was live
  stays.
- \`status_label\` is in the language of the setting \`admin_locale\`.
- Finished tasks are kept for \`retention_days\`.`,
    body: {
      description: 'The task.',
      content: importStatusRequest,
      examples: { task: { summary: 'A task', value: { task_id: 41 } } },
    },
    answers: {
      ...withBody,
      200: done('The task.', importStatusAnswer, {
        running: { summary: 'An import that runs', value: { result: true, message: 'OK', task: examples.importTask } },
        failed: { summary: 'An import that failed', value: { result: true, message: 'OK', task: examples.failedTask } },
      }),
      422: violations('`task_id` is missing, of the wrong type or selects no task.', {
        task_id: ['The selected task_id is invalid.'],
      }),
    },
  }),
]
