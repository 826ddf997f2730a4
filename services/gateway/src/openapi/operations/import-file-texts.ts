import type { AdminPath } from '@partsbus/contracts/http/admin'
import { WORKBOOK_TYPE } from '@partsbus/contracts/http/row'
import { texts } from '@partsbus/contracts/errors'
import { messageAnswer } from '@partsbus/contracts/gateway/answer'
import { preview, refusedPreview } from '@partsbus/contracts/pricing-import/preview'
import * as examples from '../examples/pricing-examples.js'
import { codedViolations, refusals } from './error-responses.js'
import type { Answer, Form } from './operation.js'
import type { RouteText } from './route-text.js'

const tag = 'Price lists and imports'

const form = (description: string, fields: Form['fields']): Form => ({
  description,
  fields: {
    document: {
      schema: { type: 'string', format: 'binary', description: 'the file, with its name' },
      required: true,
      example: 'price.csv',
    },
    ...fields,
  },
})
const uploadForm = form('The file, and how it is imported; or, as JSON, a file that was previewed.', {
  mode: {
    schema: {
      type: 'string',
      enum: ['merge'],
      description: 'merges this import into the live list, whatever the mode of the list',
    },
    required: false,
  },
})
const previewForm = form('The file, and a draft; or, as JSON, a file that is stored already.', {
  draft: {
    schema: {
      type: 'string',
      contentMediaType: 'application/json',
      description: 'JSON of up to 16 KiB: `format`, `markup_percent` and `delivery_days` to use instead of the stored',
    },
    required: false,
    example: '{"markup_percent": 10}',
  },
})
const refusedForm = (description: string, ...list: string[]): Answer => ({
  description,
  schema: messageAnswer,
  examples: Object.fromEntries(
    list.map((message, at) => [`message${at + 1}`, { summary: message, value: { message } }]),
  ),
})
const file = (description: string, type: string): Readonly<Record<number, Answer>> => ({
  200: { description, binary: [type], headers: ['Content-Disposition'] },
})
const formAnswers: Readonly<Record<number, Answer>> = {
  400: refusedForm(
    'The file is not valid (with the reason), the body is malformed, or, for an upload, the list is not active.',
    'Uploaded file is not valid. The file is empty.',
    'The request body is not a valid multipart form.',
    'Price list is not active.',
  ),
  415: refusedForm('The body is neither a form nor JSON, or it is compressed.', texts.formType, texts.encoding),
  409: refusedForm('The file is no longer kept.', 'The previewed file is no longer kept. Send it again.'),
  413: refusals.tooLarge(128 * 1024),
  422: codedViolations('The form has no file, or more than one, or a field of it is invalid.', {
    document: ['The document field is required.'],
  }),
  500: refusedForm('The file could not be stored.', 'Failed to store uploaded file.'),
}

const previewAnswers: Readonly<Record<number, Answer>> = {
  ...formAnswers,
  400: {
    description: 'The file cannot be imported (with the reason, and what was read of it), or the body is malformed.',
    schema: refusedPreview,
    examples: {
      columns: { summary: 'Columns were not found', value: examples.refusedPreview },
      empty: { summary: 'An empty file', value: { message: 'Uploaded file is not valid. The file is empty.' } },
    },
  },
}

/** Calls whose request or answer is not JSON (admin.md#imports). */
export const importFileTexts = {
  'POST /price-lists/:id/upload': {
    tag,
    description:
      'Stores a file and schedules its import, like the upload of partners and with the same response. An error ' +
      'includes the reason for which a file is refused. As JSON, the very bytes that were previewed are imported. ' +
      '`mode` `merge` merges the rows into a list that replaces, in this import only.',
    exampleId: 7,
    form: uploadForm,
    body: { summary: 'A previewed file of corrected rows', value: examples.previewedUpload },
    result: 'The import is scheduled',
    answer: { result: true, message: 'Price list upload scheduled for import.', task_id: 41 },
    answers: formAnswers,
  },
  'POST /price-lists/:id/preview': {
    tag,
    description:
      'Reads a file by the rules of an import without importing it. Returns the detected format, the first 20 ' +
      'offers as they would be stored, the first 100 rows that would be skipped, and the totals. The file is kept ' +
      'for an hour under its `preview_id`, so that it can be previewed again with another draft, and imported. ' +
      'With a draft, a format that does not fit the file is a `problem` of the answer; without one it is a 400, ' +
      'which has what was read of the file as `preview`. `changes` compares the importable rows with the live ' +
      'offers: exactly up to 200,000 of them, beyond that as an estimate from a sample. `shown_brands` has the ' +
      'names under which partners see the brands of the shown rows.',
    exampleId: 7,
    form: previewForm,
    body: { summary: 'Another price column and a markup', value: examples.previewAgain },
    answers: {
      ...previewAnswers,
      200: {
        description: 'What an import would do.',
        schema: preview,
        examples: {
          preview: { summary: 'A list in windows-1251', value: examples.preview },
          problem: { summary: 'A draft that does not fit', value: examples.previewWithProblem },
        },
      },
    },
  },
  'GET /import-tasks/:id/events': {
    tag,
    description:
      'Server-sent events. Each `data` is the task as in `GET /import-tasks/{id}`: its current state, then each ' +
      'change up to its final state, which ends the stream. An `EventSource` that lost its connection reconnects ' +
      'with the last `id` that it received and gets the later events; 204 tells it that there are no more.',
    exampleId: 41,
    parameters: [
      {
        in: 'header',
        name: 'Last-Event-ID',
        description: 'the `id` of the last event that came; sent by browsers',
        schema: { type: 'string' },
      },
    ],
    result: 'The events',
    answers: {
      204: { description: 'The final state was already sent.' },
    },
  },
  'GET /price-lists/:id/offers.csv': {
    tag,
    description:
      'All live offers in the order of the file, under the names `brand`, `article`, `name`, `quantity`, `price`, ' +
      '`delivery_days` and `row`, by which an import recognises them. UTF-8 with a byte order mark, `;` between ' +
      'cells. A cell that a spreadsheet would evaluate as a formula begins with an apostrophe. All offers are of one ' +
      'version, which the file name contains; when it is deleted meanwhile, the connection is closed before the end. ' +
      'A spreadsheet that opens a CSV by a double click drops leading zeros: import the columns as text, or use the ' +
      'XLSX.',
    exampleId: 7,
    violations: { article: ['The article field must not be greater than 191 characters.'] },
    answers: file('The offers.', 'text/csv'),
  },
  'GET /price-lists/:id/offers.xlsx': {
    tag,
    description:
      'The same as a workbook. Brands, articles and names are cells of text, so leading zeros stay and no formula is ' +
      'evaluated. More than 1,048,575 offers continue on another sheet. At most 2 workbooks are written at a time; ' +
      'others wait for up to 20 s.',
    exampleId: 7,
    violations: { article: ['The article field must not be greater than 191 characters.'] },
    answers: file('The offers.', WORKBOOK_TYPE),
  },
  'GET /import-tasks/:id/skipped.csv': {
    tag,
    description:
      'A CSV to correct and upload again: the header of the file, where it has one, and the rows with their ' +
      'cells in the original columns, followed by `skipped_row`, `skipped_code` and `skipped_message`, which ' +
      'imports ignore. UTF-8 with a byte order mark, and the delimiter of the list, or else `;`. A cell that a ' +
      'spreadsheet would evaluate as a formula begins with an apostrophe; plain numbers are unchanged. A spreadsheet ' +
      'that opens a CSV by a double click drops leading zeros: import the columns as text, or use the XLSX. With the ' +
      'mode `replace` the corrected rows alone would become the list: upload them with `mode` `merge`.',
    exampleId: 41,
    violations: { correctable: ['The correctable field must be true or false.'] },
    answers: file('The rows.', 'text/csv'),
  },
  'GET /import-tasks/:id/skipped.xlsx': {
    tag,
    description:
      'The same as a workbook. Each cell of the file is a cell of text, so leading zeros stay and no formula is ' +
      'evaluated. At most 2 workbooks are written at a time; others wait for up to 20 s.',
    exampleId: 41,
    violations: { correctable: ['The correctable field must be true or false.'] },
    answers: file('The rows.', WORKBOOK_TYPE),
  },
  'GET /import-tasks/:id/file': {
    tag,
    description: 'The file as it was uploaded or fetched, under its own name.',
    exampleId: 41,
    answers: file('The file.', 'application/octet-stream'),
  },
} satisfies Partial<Record<AdminPath, RouteText>>
