import { z } from 'zod'
import { importWarning } from './import-warning.js'

export const taskStatuses = ['pending', 'processing', 'completed', 'failed'] as const
/** rules.md#source-type */
export const sourceTypes = ['manual', 'email', 'ftp', 'url'] as const

/** The documented import task (partners.md#import-task). */
export const importTask = z
  .object({
    id: z.int(),
    price_list_id: z.int(),
    status: z.enum(taskStatuses),
    status_label: z.string().describe('in the locale of the setting `admin_locale`'),
    source_type: z.enum(sourceTypes),
    total_rows: z.int(),
    processed_rows: z.int(),
    imported_rows: z.int(),
    skipped_rows: z.int(),
    error_message: z.string().nullable(),
    started_at: z.iso.datetime().nullable(),
    completed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ImportTask' })

export type ImportTask = z.infer<typeof importTask>

/** With the fields that only administrators see. */
export const adminImportTask = importTask
  .extend({
    file_name: z.string(),
    file_size: z.int(),
    rows_per_second: z.number().nullable(),
    superseded: z.boolean(),
    created_at: z.iso.datetime(),
    created_by: z
      .union([z.string(), z.int()])
      .nullable()
      .describe('the name of an administrator, `partner`, or the id of the source; null: not recorded'),
    queue_position: z.int().nullable().describe('1: the next one; null: it does not wait'),
    skipped_by_code: z.record(z.string(), z.int()),
    error_code: z.string().nullable().describe('of `error_message`, where it is recorded'),
    is_live: z.boolean().describe('its version is the live one of the list'),
    live_rows: z.int().describe('offers of its version while that is the live one of the list, else 0'),
    warnings: z.array(importWarning),
    retry_of: z.int().nullable().describe('the failed import that it retries'),
  })
  .meta({ id: 'AdminImportTask' })

/** The same from a service of version 0.1, which lacks fields. */
export const adminTaskReply = adminImportTask.partial({
  created_at: true,
  created_by: true,
  queue_position: true,
  skipped_by_code: true,
  error_code: true,
  is_live: true,
  live_rows: true,
  warnings: true,
  retry_of: true,
})

export type AdminImportTask = z.infer<typeof adminTaskReply>
