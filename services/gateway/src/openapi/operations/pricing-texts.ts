import type { AdminPath } from '@partsbus/contracts/http/admin'
import { pageWith } from '../examples/admin-examples.js'
import type { RouteText } from './route-text.js'
import * as examples from '../examples/pricing-examples.js'

const reference = 'Pick-up points and storages'
const imports = 'Price lists and imports'
const PAGED = 'Lists are ordered by `id`; `total` counts all rows that match.'
const PATCHED = 'Fields that are not sent do not change.'
const SECRETS = 'Passwords are encrypted when stored and read `"***"`; sending `"***"` keeps the stored one.'

type Texts = Partial<Record<AdminPath, RouteText>>

export const brandSynonymTexts = {
  'GET /brand-synonyms': {
    tag: reference,
    description: PAGED,
    result: 'One page of groups',
    answer: pageWith(examples.brandSynonym),
  },
  'POST /brand-synonyms': {
    tag: reference,
    description:
      'Partners see `canonical`; each supplier is asked in its own spelling. Spellings are compared without ' +
      'case, quotes and double spaces, and each belongs to one group only. The change applies to the next search.',
    result: 'The group',
    answer: examples.brandSynonym,
    body: { summary: 'A brand with two more spellings', value: examples.newBrandSynonym },
    violations: { 'synonyms.1': ['The spelling "БОШ" belongs to another group.'] },
  },
  'GET /brand-synonyms/:id': {
    tag: reference,
    description: 'One group.',
    result: 'The group',
    answer: examples.brandSynonym,
  },
  'PATCH /brand-synonyms/:id': {
    tag: reference,
    description: `${PATCHED} \`synonyms\` replaces the list before.`,
    result: 'The group after the change',
    answer: { ...examples.brandSynonym, ...examples.brandSynonymPatch },
    body: { summary: 'Another spelling', value: examples.brandSynonymPatch },
    violations: { canonical: ['The canonical field is required.'] },
  },
  'DELETE /brand-synonyms/:id': {
    tag: reference,
    description: 'Its spellings become separate brands.',
  },
} satisfies Texts

export const priceListTexts = {
  'GET /price-lists': {
    tag: imports,
    description: `${PAGED} ${SECRETS} Each with its live version, its newest import, and the time of its next fetch.`,
    result: 'One page of price lists',
    answer: pageWith(examples.priceListRow),
  },
  'POST /price-lists': {
    tag: imports,
    description: `Only \`name\` and \`storage_id\` are needed; the storage must exist. Its offers are found by
partners when the \`supplier\` of the storage is \`price-list\`.

- \`mode\`: \`replace\` (unless given) makes the rows of each file the whole list; \`merge\` adds them to the live
  rows, or replaces those of the same brand and article.
- \`markup_percent\` is put on every price when the file is read. \`delivery_days\` stands in for rows that name none.
- \`min_rows_ratio\`: a file with fewer rows than this share of the live ones fails and changes nothing.
- \`format\`: what is left out is found out. Columns are named by 1-based number, letter or header text, several in
  the order of trying; \`brand\` may be \`{"value": "…"}\` for a list of one brand, and \`quantity\`
  \`{"value": 10}\` for a list without quantities. \`"sheet": "all"\` reads all sheets whose header fits.
  \`ignore_values\` names cells of a field that count as blank, so that its next column is read. \`duplicates\` says
  which of several rows with the same brand and article is imported: \`last\` (unless given), \`first\`, or
  \`cheapest\`, where rows in stock come before those that are not.
- \`sources\`: where files are fetched on a schedule. ${SECRETS} \`last_run\` is read only.`,
    result: 'The price list',
    answer: examples.priceList,
    body: { summary: 'A list fetched every hour', value: examples.newPriceList },
    violations: {
      storage_id: ['The selected storage_id is invalid.'],
      'format.columns.price': ['The price is invalid.'],
    },
  },
  'GET /price-lists/:id': {
    tag: imports,
    description: SECRETS,
    result: 'The price list',
    answer: examples.priceList,
  },
  'PATCH /price-lists/:id': {
    tag: imports,
    description: `${PATCHED} \`format\` and \`sources\` are replaced as a whole; a source with its \`id\` stays that
source. Imports that wait or run go on by the rules of their start; offers of a list that is not active are not found
any more.`,
    result: 'The price list after the change',
    answer: { ...examples.priceList, ...examples.priceListPatch },
    body: { summary: 'Some fields', value: examples.priceListPatch },
    violations: { markup_percent: ['The markup_percent must be at least -100.'] },
  },
  'DELETE /price-lists/:id': {
    tag: imports,
    description:
      'Deletes the list with its versions and offers. Refused while an import of it waits or runs. A list with ' +
      'import tasks is deleted only with `with_history=true`, together with the tasks, their files and their ' +
      'skipped rows.',
    conflict: 'The price list 7 "North, daily" has 12 import tasks. Send with_history=true to delete them too.',
  },
  'GET /price-lists/:id/offers': {
    tag: imports,
    description: 'The offers of the live version as they are stored, with the markup, in the order of the file.',
    result: 'One page of offers, and their version',
    answer: examples.liveOffers,
  },
  'GET /price-lists/:id/versions': {
    tag: imports,
    description: 'The stored versions, newest first. The last three are kept for a rollback.',
    result: 'The versions',
    answer: examples.versions,
  },
  'POST /price-lists/:id/rollback': {
    tag: imports,
    description:
      'Makes a stored version live: the given one, or without a body the one before the active version. Files ' +
      'that were uploaded before the rollback do not go live after it.',
    result: 'The versions after it',
    answer: examples.rolledBack,
    body: { summary: 'To this version', value: { version: 38 } },
    bodyText: 'The version (optional).',
    violations: { version: ['The version must be an integer.'] },
    conflict: 'The version 12 is no longer kept.',
  },
  'POST /price-lists/:id/sources/test': {
    tag: imports,
    description:
      'Fetches the file of a source as it is sent, stored or not, and imports nothing. The password `"***"` is the ' +
      'stored one, while kind, scheme, host, port and user name stay. The file is kept for an hour under its ' +
      '`preview_id`. `ok` is false when it could not be fetched; `code` and `message` say why. It takes up to 60 s.',
    result: 'What came of it',
    answer: examples.sourceTest,
    body: { summary: 'A stored source with another folder', value: examples.testedSource },
    bodyText: 'The source.',
    violations: { password: ['The password must be sent again, because the address changed.'] },
  },
  'POST /price-lists/:id/sources/:source_id/run': {
    tag: imports,
    description:
      'Fetches the file now, independent of the schedule. `task_id` is the import that was started, or `null`; ' +
      'then `message` says why: the file has not changed, or an error. A body is ignored.',
    result: 'What came of it',
    answer: { task_id: 41, message: 'The file was taken for import.' },
  },
} satisfies Texts

export const importTaskTexts = {
  'GET /import-tasks': {
    tag: imports,
    description: 'Newest first; the filters may be combined.',
    result: 'One page of imports',
    answer: pageWith(examples.adminImportTask),
  },
  'GET /import-tasks/:id': {
    tag: imports,
    description:
      'The task as partners see it, with its file and speed. `superseded`: it was completed, but its rows did ' +
      'not go live because of a newer upload or a rollback. `live_rows` is 0 unless its rows are live now: of a ' +
      'failed import `imported_rows` were read, and the list is as before. `error_message` is in the locale of ' +
      '`admin_locale`.',
    result: 'The import',
    answer: examples.adminImportTask,
  },
  'GET /import-tasks/:id/skipped': {
    tag: imports,
    description:
      'Ordered by `row`, the 1-based row number in the file, with the reason and the original cells. `header` names ' +
      'the columns of the cells. When all sheets of a workbook are read, rows are numbered through them, and `sheet` ' +
      'and `sheet_row` say where a row is.',
    result: 'One page of rows',
    answer: { ...pageWith(examples.skippedRow), header: { row: 1, cells: ['Бренд', 'Артикул'] } },
  },
  'POST /import-tasks/:id/cancel': {
    tag: imports,
    description: 'The task ends as `failed`, and the live list does not change. A body is ignored.',
    result: 'The import',
    answer: { ...examples.failedImportTask, error_message: 'The import was cancelled by an administrator.' },
    conflict: 'The import has ended or is just being made live.',
  },
  'POST /import-tasks/:id/retry': {
    tag: imports,
    description: 'Creates a task for the file of a failed one, with the current format of the list. A body is ignored.',
    result: 'The new import',
    answer: {
      ...examples.adminImportTask,
      id: 42,
      retry_of: 41,
      status: 'pending',
      status_label: 'Queued',
      total_rows: 0,
      processed_rows: 0,
      imported_rows: 0,
      skipped_rows: 0,
      started_at: null,
      rows_per_second: null,
    },
    conflict: 'Only a failed import can be retried.',
  },
} satisfies Texts
