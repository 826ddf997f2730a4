import { texts } from '../app-error.js'
import { type DocsOf, form } from './docs.js'
import type { partnerRows } from './partners.js'

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

const OK = { result: true, message: 'OK' }
const PARTIAL = { result: true, message: 'Partial result: 1 of 3 suppliers did not answer.' }
const NONE = { result: false, message: 'No supplier answered.' }
const BROKEN = 'The request breaks a constraint.'

const brands = [
  {
    brand: 'BOSCH',
    article: '0 986 424 590',
    name: 'Колодки тормозные',
    storages: [
      { storage_id: 12, storage_name: 'Supplier North' },
      { storage_id: 14, storage_name: 'Main' },
    ],
  },
]
const part = { brand: 'BOSCH', article: '0 986 424 590', name: 'Колодки', storage_id: 14, storage_name: 'Main' }
const parts = [
  { ...part, quantity: 4, price: 2140.5, delivery_days: 2, storage_id: 12, storage_name: 'Supplier North' },
  { ...part, quantity: 1 },
]

export const partnerDocs: DocsOf<typeof partnerRows> = {
  'POST /get-pick-up-points': {
    description: 'The active pick-up points, by `id`. The body and its media type are ignored.',
    result: 'The points',
  },
  'POST /get-brands': {
    description: `The brands that have offers for this article, and their storages. ${ARTICLE}

- Brands are compared without case, quotes and double spaces, and synonyms that an administrator defined are one
  brand. Entries without a name, or with \`-\`, are dropped.
- ${POINTS}
- Ordered by brand, then article; \`storages\` by id.
- ${ANSWERED}`,
    body: 'The article, at most 191 characters, and up to 1,000 points.',
    requests: {
      'At one pick-up point': { article: '0 986 424 590', pick_up_points: [1] },
      'In the default storages': { article: 'OC 90' },
    },
    result: 'The results; there may be none',
    answers: {
      'One brand in two storages': { ...OK, brands },
      'A supplier did not answer': { ...PARTIAL, brands },
      'No supplier answered': { ...NONE, brands: [] },
    },
    invalid: BROKEN,
    violations: {
      article: ['The article field is required.'],
      'pick_up_points.0': ['The pick_up_points.0 must be an integer.'],
    },
  },
  'POST /get-parts': {
    description: `Offers of these brands with a quantity above 0. ${ARTICLE}

- \`brands\`: any spelling of a brand; each supplier is asked by its own spelling. An unknown brand gives an empty list.
- ${POINTS}
- \`price\` and \`delivery_days\` are present when the supplier sent them. Prices have at most two decimals.
- Ordered by price, then delivery days (missing values last), brand, article and storage.
- ${ANSWERED}`,
    body: 'The article, 1 to 100 brands, and up to 1,000 points.',
    requests: { 'Two brands': { article: '0 986 424 590', brands: ['BOSCH', 'ATE'] } },
    result: 'The results; there may be none',
    answers: {
      'Two offers': { ...OK, parts },
      'A supplier did not answer': { ...PARTIAL, parts: parts.slice(1) },
      'No supplier answered': { ...NONE, parts: [] },
    },
    invalid: BROKEN,
    violations: { article: ['The article must be a string.'], brands: ['The brands field is required.'] },
  },
  'POST /upload-price-list': {
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
    form: form('The list and the file.', {
      id: {
        schema: { type: 'integer', minimum: 1, description: 'id of a price list that an administrator configured' },
        required: true,
        example: 7,
      },
      tech_key: { schema: { type: 'string', description: 'reserved, and ignored' } },
    }),
    result: 'The import is scheduled',
    invalid: 'Fields are missing, wrong-typed or unknown.',
    violations: { id: ['The selected id is invalid.'], document: ['The document field is required.'] },
    statuses: {
      400: {
        description:
          'The list is not active, the file is not valid, or the form is malformed. A form that exceeds the limit ' +
          'of a file by more than 1 MiB is not read, and the connection is closed.',
        messages: [
          'Price list is not active.',
          'Uploaded file is not valid.',
          'The request body is not a valid multipart form.',
        ],
      },
      415: {
        description: 'The body is not a form, or it is compressed.',
        messages: [texts.formType, texts.encoding],
      },
      500: {
        description: 'The file could not be stored, or no token is configured.',
        messages: ['Failed to store uploaded file.', 'B2B API token is not configured.'],
      },
    },
  },
  'POST /get-price-list-status': {
    description: `The state of an import: \`pending\` → \`processing\` → \`completed\` or \`failed\`, and these two
never change.

- \`imported_rows + skipped_rows = processed_rows ≤ total_rows\` at every reading, equal at the end. \`total_rows\` is
  known before the first row is imported.
- \`completed\`: at least one row was imported. \`failed\`: \`error_message\` says what to do; the list that was live
  stays.
- \`status_label\` is in the language of the setting \`admin_locale\`.
- Finished tasks are kept for \`retention_days\`.`,
    body: 'The task.',
    result: 'The task',
    invalid: '`task_id` is missing, of the wrong type or selects no task.',
    violations: { task_id: ['The selected task_id is invalid.'] },
  },
}
