import { z } from 'zod'
import { identifier, integer, plainText, requiredText } from '../field.js'

/*
 * Where the files of a price list are fetched from (admin.md#sources).
 */

const everyMinutes = integer(1, 44_640)
const sourceHead = {
  id: identifier().optional(),
  is_active: z.boolean().optional(),
  every_minutes: everyMinutes.optional(),
  last_run: z.unknown().optional().describe('read only: ignored in requests').meta({ readOnly: true }),
}
const secret = plainText(1_000).optional().describe('stored encrypted, answered as "***"; sending "***" keeps it')

const port = integer(1, 65_535).optional()
const pattern = plainText(255).optional().describe('`*` matches any text; case-insensitive; absent: any')

const urlSource = z.strictObject({
  ...sourceHead,
  kind: z.literal('url'),
  url: requiredText(2_000)
    .describe('http or https, without user name and password')
    .meta({ example: 'https://north.example/price.zip' }),
  username: plainText(191).optional().meta({ example: 'shop' }),
  password: secret,
})
const ftpSource = z.strictObject({
  ...sourceHead,
  kind: z.literal('ftp'),
  host: requiredText(255).meta({ example: 'ftp.north.example' }),
  port: port.describe('21 unless given'),
  secure: z.boolean().optional().describe('FTP over TLS; on port 990 from the first byte'),
  username: plainText(191).optional().describe('`anonymous` unless given').meta({ example: 'shop' }),
  password: secret,
  path: plainText(1_000).optional().describe('the folder').meta({ example: 'out' }),
  pattern: pattern.describe('of file names, like `price*.zip`; the newest match is imported'),
})
const emailSource = z.strictObject({
  ...sourceHead,
  kind: z.literal('email'),
  host: requiredText(255).describe('of the IMAP server').meta({ example: 'ftp.north.example' }),
  port: port.describe('993 unless given, with TLS; 143 with STARTTLS'),
  username: plainText(191).optional().meta({ example: 'shop' }),
  password: secret,
  folder: plainText(255).optional().describe('`INBOX` unless given'),
  from: pattern,
  subject: pattern,
  file_name: pattern,
})

/** A source as it is saved (admin.md#sources). */
export const priceListSource = z
  .discriminatedUnion('kind', [
    urlSource.meta({ id: 'UrlSource' }),
    ftpSource.meta({ id: 'FtpSource' }),
    emailSource.meta({ id: 'EmailSource' }),
  ])
  .meta({ id: 'PriceListSource' })

export type PriceListSource = z.infer<typeof priceListSource>

const lastRun = z
  .object({
    at: z.iso.datetime().describe('start of the run'),
    outcome: z.enum(['imported', 'unchanged', 'failed']).describe('`imported`: an import was started, see `task_id`'),
    message: z.string().meta({ example: 'The file was taken for import.' }),
    task_id: z.int().nullable().meta({ example: 41 }),
  })
  .meta({ id: 'SourceRun' })
  .nullable()
const shown = {
  id: z.int(),
  is_active: z.boolean(),
  every_minutes: z.int().meta({ example: 60 }),
  last_run: lastRun.describe('null: it has not run yet'),
}

/** A source in the admin API. */
export const shownSource = z
  .discriminatedUnion('kind', [
    urlSource.extend(shown).meta({ id: 'ShownUrlSource' }),
    ftpSource.extend(shown).meta({ id: 'ShownFtpSource' }),
    emailSource.extend(shown).meta({ id: 'ShownEmailSource' }),
  ])
  .meta({ id: 'ShownPriceListSource' })

export type SourceLastRun = z.infer<typeof lastRun>

/** The outcome of fetching the file of a source. */
export const sourceTest = z
  .object({
    ok: z.boolean(),
    ms: z.int().meta({ example: 184 }),
    code: z.string().nullable().describe('of the failure').meta({ example: null }),
    message: z.string().meta({ example: 'The file was fetched.' }),
    file: z
      .object({
        name: z.string().meta({ example: 'price.csv' }),
        size: z.int().meta({ example: 48_213 }),
        modified_at: z.iso.datetime().nullable().describe('null when the server does not report it'),
      })
      .meta({ id: 'SourceFile' })
      .nullable(),
    preview_id: z.string().nullable().describe('names the file for an hour').meta({ example: '118-5f3a9c0e7b21' }),
  })
  .meta({ id: 'SourceTest' })
