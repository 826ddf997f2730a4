import { z } from 'zod'
import { dateText, identifier } from '../field.js'
import { pageOf, pageRequest } from '../paging.js'
import * as pricing from '../pricing-import/commands.js'
import { adminImportTask, sourceTypes, taskStatuses } from '../pricing-import/import-task.js'
import { notAllowed } from '../violation.js'
import { type AdminRow, type Rows, WORKBOOK_TYPE } from './row.js'

const importTasksQuery = pageRequest.extend({
  price_list_id: identifier().optional().describe('imports of this list'),
  status: z
    .array(z.string().meta({ enum: [...taskStatuses] }))
    .check((ctx) => {
      if (ctx.value.every((status) => (taskStatuses as readonly string[]).includes(status))) return
      const text = notAllowed('status', taskStatuses)
      ctx.issues.push({ code: 'custom', input: ctx.value, params: { rule: 'format', text } })
    })
    .optional()
    .describe('only those in one of these states; may be sent several times'),
  source_type: z.enum(sourceTypes).optional().describe('only those that came this way'),
  from: dateText().optional().describe('only those created at this time or later'),
  to: dateText().optional().describe('only those created before this time'),
})
/** An export has all rows, so it takes the filters of the list without its pages. */
const exportedRowsQuery = pricing.listSkippedRows.request.pick({ code: true, correctable: true })

export const importRows = {
  'GET /import-tasks': {
    name: 'listImportTasks',
    summary: 'List imports',
    role: 'viewer',
    query: importTasksQuery,
    answer: pageOf(adminImportTask),
    command: pricing.listImportTasks,
    toRequest: ({ query: { status, ...query } }) => ({ ...query, ...(status !== undefined && { statuses: status }) }),
  },
  'GET /import-tasks/:id': {
    name: 'getImportTask',
    summary: 'Get an import',
    role: 'viewer',
    answer: adminImportTask,
    command: pricing.getImportTask,
  },
  'GET /import-tasks/:id/skipped': {
    name: 'listSkippedRows',
    summary: 'List the rows that an import skipped',
    role: 'viewer',
    query: pricing.listSkippedRows.request.omit({ id: true }),
    answer: pricing.listSkippedRows.reply,
    command: pricing.listSkippedRows,
  },
  'POST /import-tasks/:id/cancel': {
    name: 'cancelImportTask',
    summary: 'Cancel an import',
    role: 'manager',
    answer: adminImportTask,
    command: pricing.cancelImportTask,
    audit: 'import-task.cancel',
  },
  'POST /import-tasks/:id/retry': {
    name: 'retryImportTask',
    summary: 'Import a file again',
    role: 'manager',
    answer: adminImportTask,
    command: pricing.retryImportTask,
    audit: 'import-task.retry',
    created: 'task_id',
    namesCreator: true,
  },
  'GET /import-tasks/:id/events': {
    name: 'followImportTask',
    summary: 'Follow an import',
    role: 'viewer',
    headers: ['Last-Event-ID'],
    media: 'text/event-stream',
  },
  'GET /import-tasks/:id/skipped.csv': {
    name: 'exportSkippedRowsCsv',
    summary: 'Download the rows that an import skipped as CSV',
    role: 'viewer',
    query: exportedRowsQuery,
    media: 'text/csv',
  },
  'GET /import-tasks/:id/skipped.xlsx': {
    name: 'exportSkippedRowsXlsx',
    summary: 'Download the rows that an import skipped as XLSX',
    role: 'viewer',
    query: exportedRowsQuery,
    media: WORKBOOK_TYPE,
  },
  'GET /import-tasks/:id/file': {
    name: 'downloadImportFile',
    summary: 'Download the file of an import',
    role: 'viewer',
    media: 'application/octet-stream',
  },
} as const satisfies Rows<AdminRow>
