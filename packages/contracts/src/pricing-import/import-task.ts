import { z } from 'zod'
import { importWarning } from './import-warning.js'

export const taskStatuses = ['pending', 'processing', 'completed', 'failed'] as const
/** rules.md#source-type */
export const sourceTypes = ['manual', 'email', 'ftp', 'url'] as const

/** The documented import task (partners.md#import-task). */
export const importTask = z
  .object({
    id: z.int(),
    price_list_id: z.int().meta({ example: 7 }),
    status: z.enum(taskStatuses),
    status_label: z.string().describe('in the locale of the setting `admin_locale`').meta({ example: 'Processing' }),
    source_type: z.enum(sourceTypes),
    total_rows: z.int().meta({ example: 52_000 }),
    processed_rows: z.int().meta({ example: 18_000 }),
    imported_rows: z.int().meta({ example: 17_920 }),
    skipped_rows: z.int().meta({ example: 80 }),
    error_message: z.string().nullable().meta({ example: null }),
    started_at: z.iso.datetime().nullable(),
    completed_at: z.iso.datetime().nullable().meta({ example: null }),
  })
  .meta({ id: 'ImportTask' })

export type ImportTask = z.infer<typeof importTask>

/** With the fields that only administrators see. */
export const adminImportTask = importTask
  .extend({
    file_name: z.string().meta({ example: 'price.csv' }),
    file_size: z.int().meta({ example: 2_481_022 }),
    rows_per_second: z.number().nullable().meta({ example: 21_400 }),
    superseded: z.boolean(),
    created_at: z.iso.datetime(),
    created_by: z
      .union([z.string(), z.int()])
      .nullable()
      .describe('the name of an administrator, `partner`, or the id of the source; null: not recorded'),
    queue_position: z.int().nullable().describe('1: the next one; null: it does not wait').meta({ example: null }),
    skipped_by_code: z.record(z.string(), z.int()),
    error_code: z.string().nullable().describe('of `error_message`, where it is recorded').meta({ example: null }),
    is_live: z.boolean().describe('its version is the live one of the list'),
    live_rows: z
      .int()
      .describe('offers of its version while that is the live one of the list, else 0')
      .meta({ example: 0 }),
    merged_into: z
      .int()
      .nullable()
      .describe('the live import, a merge, that took over its offers; null: none')
      .meta({ example: null }),
    warnings: z.array(importWarning),
    retry_of: z.int().nullable().describe('the failed import that it retries').meta({ example: null }),
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
  merged_into: true,
  warnings: true,
  retry_of: true,
})

export type AdminImportTask = z.infer<typeof adminTaskReply>
