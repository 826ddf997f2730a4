import { messageAnswer, uploadAnswer } from '@partsbus/contracts/answer'
import { preview } from '@partsbus/contracts/price-list'
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
    'The file is not valid, and why; or the form is broken or cut off; or, of an upload, the list is not active.',
    'Uploaded file is not valid. The file is empty.',
    'The request body is not a valid multipart form.',
    'Price list is not active.',
  ),
  415: refusedForm(
    'The body is not a form, or is compressed.',
    'The media type must be multipart/form-data.',
    'The content encoding is not supported.',
  ),
  422: violations('There is no file, or more than one.', { document: ['The document field is required.'] }),
  500: refusedForm('The file could not be kept.', 'Failed to store uploaded file.'),
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
      'Takes a file and schedules its import, as the upload of partners does and with its answer. A file that is refused is told with its reason.',
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
      'Reads a file by the very rules of an import and imports nothing: what was found out about it, the first 20 offers as they would be stored, the first 100 rows that would be left out, and how many there are of each.',
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
      'Server-sent events. Each `data` is the task as `GET /import-tasks/{id}` answers it: as it is at first, then at each change; the last one is its final state, and the stream ends. An `EventSource` that lost its connection asks again by itself, names the last `id` it got, and is told what came since; once it has the final state it is answered 204, which ends it.',
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
      204: { description: 'The final state was told already.' },
    },
  }),
  operation({
    method: 'GET',
    path: '/api/admin/import-tasks/{id}/skipped.csv',
    summary: 'Download the rows an import left out',
    description:
      'A CSV to correct and upload again: the header of the file, where it had one, and the rows with their cells where they stood; behind them `skipped_row`, `skipped_code` and `skipped_message`, which an import does not read. UTF-8 with a byte order mark, `;` between cells. A cell that a spreadsheet would take for a formula begins with an apostrophe; plain numbers stay as they are. Mind the mode of the list: with `replace` the corrected rows alone would become the list, so send the whole file again, or set the list to `merge`.',
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
