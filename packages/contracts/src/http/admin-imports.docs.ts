import type { importRows } from './admin-imports.js'
import type { DocsOf } from './docs.js'

export const importDocs: DocsOf<typeof importRows> = {
  'GET /import-tasks': {
    description: 'Newest first; the filters may be combined.',
    result: 'One page of imports',
  },
  'GET /import-tasks/:id': {
    description:
      'The task as partners see it, with its file and speed. `superseded`: it was completed, but its rows did ' +
      'not go live because of a newer upload or a rollback. `live_rows` is 0 unless its rows are live now: of a ' +
      'failed import `imported_rows` were read, and the list is as before. `error_message` is in the locale of ' +
      '`admin_locale`.',
    result: 'The import',
  },
  'GET /import-tasks/:id/skipped': {
    description:
      'Ordered by `row`, the 1-based row number in the file, with the reason and the original cells. `header` names ' +
      'the columns of the cells. When all sheets of a workbook are read, rows are numbered through them, and `sheet` ' +
      'and `sheet_row` say where a row is.',
    result: 'One page of rows',
  },
  'POST /import-tasks/:id/cancel': {
    description: 'The task ends as `failed`, and the live list does not change. A body is ignored.',
    result: 'The import',
    conflict: 'The import has ended or is just being made live.',
  },
  'POST /import-tasks/:id/retry': {
    description: 'Creates a task for the file of a failed one, with the current format of the list. A body is ignored.',
    result: 'The new import',
    conflict: 'Only a failed import can be retried.',
  },
  'GET /import-tasks/:id/events': {
    description:
      'Server-sent events. Each `data` is the task as in `GET /import-tasks/{id}`: its current state, then each ' +
      'change up to its final state, which ends the stream. An `EventSource` that lost its connection reconnects ' +
      'with the last `id` that it received and gets the later events; 204 tells it that there are no more.',
    result: 'The events',
    statuses: {
      204: { description: 'The final state was already sent.' },
    },
  },
  'GET /import-tasks/:id/skipped.csv': {
    description:
      'A CSV to correct and upload again: the header of the file, where it has one, and the rows with their ' +
      'cells in the original columns, followed by `skipped_row`, `skipped_code` and `skipped_message`, which ' +
      'imports ignore. UTF-8 with a byte order mark, and the delimiter of the list, or else `;`. A cell that a ' +
      'spreadsheet would evaluate as a formula begins with an apostrophe; plain numbers are unchanged. A spreadsheet ' +
      'that opens a CSV by a double click drops leading zeros: import the columns as text, or use the XLSX. With the ' +
      'mode `replace` the corrected rows alone would become the list: upload them with `mode` `merge`.',
    violations: { correctable: ['The correctable field must be true or false.'] },
    result: 'The rows',
  },
  'GET /import-tasks/:id/skipped.xlsx': {
    description:
      'The same as a workbook. Each cell of the file is a cell of text, so leading zeros stay and no formula is ' +
      'evaluated. At most 2 workbooks are written at a time; others wait for up to 20 s.',
    violations: { correctable: ['The correctable field must be true or false.'] },
    result: 'The rows',
  },
  'GET /import-tasks/:id/file': {
    description: 'The file as it was uploaded or fetched, under its own name.',
    result: 'The file',
  },
}
