import { z } from 'zod'

/** Something that does not stop an import, but that its administrator should know (admin.md#warnings). */
export const importWarning = z
  .object({
    code: z.enum([
      'SHEETS_UNREAD',
      'NO_NAME',
      'NO_PRICE',
      'BRANDS_DOUBTFUL',
      'MANY_SKIPPED',
      'LIST_SHRINKS',
      'NOTHING_TO_IMPORT',
      'TOO_FEW_ROWS',
    ]),
    message: z
      .string()
      .describe('in the locale of the setting `admin_locale`')
      .meta({ example: '12 rows have no product name.' }),
    count: z.int().describe('sheets, rows, brands or offers'),
  })
  .meta({ id: 'ImportWarning' })

export type ImportWarning = z.infer<typeof importWarning>
