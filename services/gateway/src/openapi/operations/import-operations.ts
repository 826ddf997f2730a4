import { messageAnswer, uploadAnswer } from '@partsbus/contracts/gateway/answer'
import { preview } from '@partsbus/contracts/pricing-import/price-list'
import { refusals, violations } from './error-responses.js'
import type { Answer, Form, Operation } from './operation.js'
import * as examples from '../examples/pricing-examples.js'

const always: Readonly<Record<number, Answer>> = {
  401: refusals.adminToken,
  404: refusals.notFound,
  503: refusals.unavailable,
  504: refusals.timeout,
}
const id = {
  in: 'path',
  name: 'id',
  description: 'an id made by Partsbus; anything else is answered 404',
  schema: { type: 'integer', minimum: 1 },
  example: 41,
} as const

const form: Form = {
  description: 'The file. Other fields are ignored.',
  fields: {
    document: {
      schema: { type: 'string', format: 'binary', description: 'the file, with its name' },
      required: true,
      example: 'price.csv',
    },
  },
}
const refusedForm = (description: string, ...list: string[]): Answer => ({
  description,
  schema: messageAnswer,
  examples: Object.fromEntries(
    list.map((message, at) => [`message${at + 1}`, { summary: message, value: { message } }]),
  ),
})
const formAnswers: Readonly<Record<number, Answer>> = {
  400: refusedForm(
    'The file is not valid (with the reason), the form is malformed, or, for an upload, the list is not active.',
    'Uploaded file is not valid. The file is empty.',
    'The request body is not a valid multipart form.',
    'Price list is not active.',
  ),
  415: refusedForm(
    'The body is not a form, or it is compressed.',
    'The media type must be multipart/form-data.',
    'The content encoding is not supported.',
  ),
  422: violations('The form has no file, or more than one.', { document: ['The document field is required.'] }),
  500: refusedForm('The file could not be stored.', 'Failed to store uploaded file.'),
}

const operation = (rest: Omit<Operation, 'tag' | 'security'>): Operation => ({
  tag: 'Price lists and imports',
  security: 'admin',
  ...rest,
  answers: { ...always, ...rest.answers },
})

/** What is sent or answered other than as JSON (admin.md#imports). */
export const importOperations: readonly Operation[] = [
  operation({
    method: 'POST',
    path: '/api/admin/price-lists/{id}/upload',
    summary: 'Upload a price list',
    description:
      'Stores a file and schedules its import, like the upload of partners and with the same response. An error ' +
      'includes the reason for which a file is refused.',
    parameters: [{ ...id, example: 7 }],
    form,
    answers: {
      ...formAnswers,
      200: {
        description: 'The import is scheduled.',
        schema: uploadAnswer,
        examples: {
          scheduled: {
            summary: 'The task',
            value: { result: true, message: 'Price list upload scheduled for import.', task_id: 41 },
          },
        },
      },
    },
  }),
  operation({
    method: 'POST',
    path: '/api/admin/price-lists/{id}/preview',
    summary: 'Preview a price list',
    description:
      'Reads a file by the rules of an import without importing it. Returns the detected format, the first 20 ' +
      'offers as they would be stored, the first 100 rows that would be skipped, and the totals.',
    parameters: [{ ...id, example: 7 }],
    form,
    answers: {
      ...formAnswers,
      200: {
        description: 'What an import would do.',
        schema: preview,
        examples: { preview: { summary: 'A list in windows-1251', value: examples.preview } },
      },
    },
  }),
  operation({
    method: 'GET',
    path: '/api/admin/import-tasks/{id}/events',
    summary: 'Follow an import',
    description:
      'Server-sent events. Each `data` is the task as in `GET /import-tasks/{id}`: its current state, then each ' +
      'change up to its final state, which ends the stream. An `EventSource` that lost its connection reconnects ' +
      'with the last `id` that it received and gets the later events; 204 tells it that there are no more.',
    parameters: [
      id,
      {
        in: 'header',
        name: 'Last-Event-ID',
        description: 'the `id` of the last event that came; sent by browsers',
        schema: { type: 'string' },
      },
    ],
    answers: {
      200: { description: 'The events.', binary: ['text/event-stream'] },
      204: { description: 'The final state was already sent.' },
    },
  }),
  operation({
    method: 'GET',
    path: '/api/admin/import-tasks/{id}/skipped.csv',
    summary: 'Download the rows that an import skipped',
    description:
      'A CSV to correct and upload again: the header of the file, where it has one, and the rows with their ' +
      'cells in the original columns, followed by `skipped_row`, `skipped_code` and `skipped_message`, which ' +
      'imports ignore. UTF-8 with a byte order mark, `;` between cells. A cell that a spreadsheet would evaluate ' +
      'as a formula begins with an apostrophe; plain numbers are unchanged. With the mode `replace` the ' +
      'corrected rows alone would become the list: upload the whole file, or set the mode to `merge`.',
    parameters: [id],
    answers: { 200: { description: 'The rows.', binary: ['text/csv'], headers: ['Content-Disposition'] } },
  }),
  operation({
    method: 'GET',
    path: '/api/admin/import-tasks/{id}/file',
    summary: 'Download the file of an import',
    description: 'The file as it was uploaded or fetched, under its own name.',
    parameters: [id],
    answers: {
      200: { description: 'The file.', binary: ['application/octet-stream'], headers: ['Content-Disposition'] },
    },
  }),
]
