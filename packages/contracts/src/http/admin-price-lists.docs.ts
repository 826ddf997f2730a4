import type { priceListRows } from './admin-price-lists.js'
import { texts } from '../app-error.js'
import { type DocsOf, form, PAGED, PATCHED, tooLarge } from './docs.js'

const SECRETS = 'Passwords are encrypted when stored and read `"***"`; sending `"***"` keeps the stored one.'

const newPriceList = {
  name: 'North, daily',
  storage_id: 12,
  markup_percent: 15,
  min_rows_ratio: 0.5,
  delivery_days: 2,
  format: {
    encoding: 'auto',
    delimiter: ';',
    columns: { brand: 'Бренд', article: ['Артикул', 'B'], quantity: 4, price: 'Цена' },
  },
  sources: [
    { kind: 'url', url: 'https://north.example/price.zip', username: 'shop', password: 'secret', every_minutes: 60 },
  ],
}
const testedSource = {
  id: 2,
  kind: 'ftp',
  host: 'ftp.north.example',
  username: 'shop',
  password: '***',
  path: 'out',
  pattern: 'price*.xlsx',
}

const uploadForm = form('The file, and how it is imported; or, as JSON, a file that was previewed.', {
  mode: {
    schema: {
      type: 'string',
      enum: ['merge'],
      description: 'merges this import into the live list, whatever the mode of the list',
    },
  },
})
const previewForm = form('The file, and a draft; or, as JSON, a file that is stored already.', {
  draft: {
    schema: {
      type: 'string',
      contentMediaType: 'application/json',
      description: 'JSON of up to 16 KiB: `format`, `markup_percent` and `delivery_days` to use instead of the stored',
    },
    example: '{"markup_percent": 10}',
  },
})
const formStatuses = {
  invalid: 'The form has no file, or more than one, or a field of it is invalid.',
  violations: { document: ['The document field is required.'] },
  statuses: {
    400: {
      description:
        'The file is not valid (with the reason), the body is malformed, or, for an upload, the list is not active.',
      messages: [
        'Uploaded file is not valid. The file is empty.',
        'The request body is not a valid multipart form.',
        'Price list is not active.',
      ],
    },
    409: {
      description: 'The file is no longer kept.',
      messages: ['The previewed file is no longer kept. Send it again.'],
    },
    413: tooLarge(128 * 1024),
    415: {
      description: 'The body is neither a form nor JSON, or it is compressed.',
      messages: [texts.formType, texts.encoding],
    },
    500: { description: 'The file could not be stored.', messages: ['Failed to store uploaded file.'] },
  },
}

export const priceListDocs: DocsOf<typeof priceListRows> = {
  'GET /price-lists': {
    description: `${PAGED} ${SECRETS} Each with its live version, its newest import, and the time of its next fetch.`,
    result: 'One page of price lists',
  },
  'POST /price-lists': {
    description: `Only \`name\` and \`storage_id\` are needed; the storage must exist. Its offers are found by
partners when the \`supplier\` of the storage is \`price-list\`, and the storage is asked.

- \`storage\` in place of \`storage_id\` creates a storage of that kind together with the list.
- \`in_search\`: \`true\` adds the storage to the setting \`storages_for_crosses\`. A list that is refused, or that
  could not be finished, leaves neither a storage nor a change of the setting behind.

- \`mode\`: \`replace\` (unless given) makes the rows of each file the whole list; \`merge\` adds them to the live
  rows, or replaces those of the same brand and article.
- \`markup_percent\` is put on every price when the file is read. \`delivery_days\` stands in for rows that name none.
- \`min_rows_ratio\`: a file with fewer rows than this share of the live ones fails and changes nothing.
- \`format\`: what is left out is found out. Columns are named by 1-based number, letter or header text, several in
  the order of trying; \`brand\` may be \`{"value": "…"}\` for a list of one brand, or
  \`{"group": true}\` for one whose headings of groups are brands, and \`quantity\` \`{"value": 10}\` for a list
  without quantities. \`known_brands\` looks for a blank brand in the name, among the brands of the synonym groups.
  \`"sheet": "all"\` reads all sheets whose header fits. \`ignore_values\` names cells of a field that count as
  blank, so that its next column is read. \`duplicates\` says which of several rows with the same brand and article
  is imported: \`last\` (unless given), \`first\`, or \`cheapest\`, where rows in stock come before those that are
  not.
- \`sources\`: where files are fetched on a schedule. ${SECRETS} \`last_run\` is read only.`,
    result: 'The price list',
    requests: {
      'A list fetched every hour': newPriceList,
      'A list with a storage of its own': { name: 'North, daily', storage: { name: 'North' }, in_search: true },
    },
    violations: {
      storage_id: ['The selected storage_id is invalid.'],
      'format.columns.price': ['The price is invalid.'],
    },
  },
  'GET /price-lists/:id': {
    description: SECRETS,
    result: 'The price list',
  },
  'PATCH /price-lists/:id': {
    description: `${PATCHED} \`format\` and \`sources\` are replaced as a whole; a source with its \`id\` stays that
source. Imports that wait or run go on by the rules of their start; offers of a list that is not active are not found
any more.`,
    result: 'The price list after the change',
    requests: { 'Some fields': { markup_percent: 12.5, is_active: false } },
    violations: { markup_percent: ['The markup_percent must be at least -100.'] },
  },
  'DELETE /price-lists/:id': {
    description:
      'Deletes the list with its versions and offers. Refused while an import of it waits or runs. A list with ' +
      'import tasks is deleted only with `with_history=true`, together with the tasks, their files and their ' +
      'skipped rows.',
    conflict: 'The price list 7 "North, daily" has 12 import tasks. Send with_history=true to delete them too.',
  },
  'GET /price-lists/:id/versions': {
    description:
      'The stored versions, newest first. The last three are kept for a rollback. `version` is the id of its import; ' +
      '`number` counts within the list.',
    result: 'The versions',
  },
  'GET /price-lists/:id/offers': {
    description:
      'The offers of the live version as they are stored, with the markup, in the order of the file. `price_from` ' +
      'and `price_to` are included; an offer without a price is in no range.',
    result: 'One page of offers, and their version',
  },
  'GET /price-lists/:id/offers.csv': {
    description:
      'All live offers in the order of the file, under the names `brand`, `article`, `name`, `quantity`, `price`, ' +
      '`delivery_days` and `row`, by which an import recognises them. UTF-8 with a byte order mark, `;` between ' +
      'cells. A cell that a spreadsheet would evaluate as a formula begins with an apostrophe. All offers are of one ' +
      'version, which the file name contains; when it is deleted meanwhile, the connection is closed before the end. ' +
      'A spreadsheet that opens a CSV by a double click drops leading zeros: import the columns as text, or use the ' +
      'XLSX.',
    violations: { article: ['The article field must not be greater than 191 characters.'] },
    result: 'The offers',
  },
  'GET /price-lists/:id/offers.xlsx': {
    description:
      'The same as a workbook. Brands, articles and names are cells of text, so leading zeros stay and no formula is ' +
      'evaluated. More than 1,048,575 offers continue on another sheet. At most 2 workbooks are written at a time; ' +
      'others wait for up to 20 s.',
    violations: { article: ['The article field must not be greater than 191 characters.'] },
    result: 'The offers',
  },
  'GET /price-lists/:id/changes': {
    description:
      'Which rows were added, are gone, or differ between two kept versions: unless given, the live one and the one' +
      ' that was live before it. Rows are the same when brand and article are, in any spelling. `dearer` and ' +
      '`cheaper` go by the price; `price_added` and `price_gone` have a price in one version alone; `other` is any ' +
      'other difference. Rows are in the order of the file of `to`, then those that are gone in the order of ' +
      'theirs. `counts` counts the rows that `article` and `brand` select, and `total` those of `kind`. The first ' +
      'call about two versions compares them, which takes seconds for some 100,000 offers; after 504 send it again. ' +
      'A version of more than 2,000,000 offers is not compared.',
    result: 'One page of changes, and their counts',
    violations: {
      kind: [
        'The selected kind is invalid. It must be added, gone, dearer, cheaper, price_added, price_gone or other.',
      ],
    },
    conflict: 'Version 38 is no longer kept.',
  },
  'GET /price-lists/:id/changes.csv': {
    description:
      'All of these changes, with old and new values, under the names `kind`, `brand`, `article`, `name`, ' +
      '`old_price`, `new_price`, `price_percent`, `old_quantity`, `new_quantity`, `old_delivery_days`, ' +
      '`new_delivery_days`, `old_name`, `old_row` and `new_row`, written as the live offers are. When a version is ' +
      'deleted meanwhile, the connection is closed before the end.',
    result: 'The changes',
    violations: {
      kind: [
        'The selected kind is invalid. It must be added, gone, dearer, cheaper, price_added, price_gone or other.',
      ],
    },
    conflict: 'Version 38 is no longer kept.',
  },
  'GET /price-lists/:id/changes.xlsx': {
    description: 'The same as a workbook, written as that of the live offers.',
    result: 'The changes',
    violations: {
      kind: [
        'The selected kind is invalid. It must be added, gone, dearer, cheaper, price_added, price_gone or other.',
      ],
    },
    conflict: 'Version 38 is no longer kept.',
  },
  'POST /price-lists/:id/rollback': {
    description:
      'Makes a stored version live: the given one, or without a body the one before the active version. Files ' +
      'that were uploaded before the rollback do not go live after it.',
    result: 'The versions after it',
    body: 'The version (optional).',
    requests: { 'To this version': { version: 38 } },
    violations: { version: ['The version must be an integer.'] },
    conflict: 'The version 12 is no longer kept.',
  },
  'POST /price-lists/:id/sources/test': {
    description:
      'Fetches the file of a source as it is sent, stored or not, and imports nothing. The password `"***"` is the ' +
      'stored one, while kind, scheme, host, port and user name stay. The file is kept for an hour under its ' +
      '`preview_id`. `ok` is false when it could not be fetched; `code` and `message` say why. It takes up to 60 s.',
    result: 'The result',
    body: 'The source.',
    requests: { 'A stored source with another folder': testedSource },
    violations: { password: ['The password must be sent again, because the address changed.'] },
  },
  'POST /price-lists/:id/sources/:source_id/run': {
    description:
      'Fetches the file now, independent of the schedule. `task_id` is the import that was started, or `null`; ' +
      'then `message` says why: the file has not changed, or an error. A body is ignored.',
    result: 'The result',
  },
  'POST /price-lists/:id/upload': {
    description:
      'Stores a file and schedules its import, like the upload of partners and with the same response. An error ' +
      'includes the reason for which a file is refused. As JSON, the very bytes that were previewed are imported. ' +
      '`mode` `merge` merges the rows into a list that replaces, in this import only.',
    form: uploadForm,
    requests: { 'A previewed file of corrected rows': { preview_id: '118-5f3a9c0e7b21', mode: 'merge' } },
    result: 'The import is scheduled',
    ...formStatuses,
  },
  'POST /price-lists/:id/preview': {
    description:
      'Reads a file by the rules of an import without importing it. Returns the detected format, the first 20 ' +
      'offers as they would be stored, the first 100 rows that would be skipped, and the totals. The file is kept ' +
      'for an hour under its `preview_id`, so that it can be previewed again with another draft, and imported. ' +
      'With a draft, a format that does not fit the file is a `problem` of the answer; without one it is a 400, ' +
      'which has what was read of the file as `preview`. `changes` compares the importable rows with the live ' +
      'offers: exactly up to 200,000 of them, beyond that as an estimate from a sample. `shown_brands` has the ' +
      'names under which partners see the brands of the shown rows.',
    form: previewForm,
    requests: {
      'Another price column and a markup': {
        file: { preview_id: '118-5f3a9c0e7b21' },
        draft: { format: { columns: { price: 'F' } }, markup_percent: 10 },
      },
    },
    result: 'What an import would do',
    ...formStatuses,
    statuses: {
      ...formStatuses.statuses,
      400: {
        description:
          'The file cannot be imported (with the reason, and what was read of it), or the body is malformed.',
        examples: { 'An empty file': { message: 'Uploaded file is not valid. The file is empty.' } },
      },
    },
  },
}
