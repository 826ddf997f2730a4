import { z } from 'zod'

/** The documented import task (partners.md#import-task). */
export const importTask = z
  .object({
    id: z.int(),
    price_list_id: z.int(),
    status: z.enum(['pending', 'processing', 'completed', 'failed']),
    status_label: z.string().describe('in the locale of the setting `admin_locale`'),
    source_type: z.enum(['manual', 'email', 'ftp', 'url']),
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
  })
  .meta({ id: 'AdminImportTask' })

export type AdminImportTask = z.infer<typeof adminImportTask>
