import { platformConfig, secretsKey } from '@partsbus/platform/process/config'
import { z } from 'zod'
import { filesConfig } from './files/files-config.js'

const count = (least: number, most: number) => z.coerce.number().int().min(least).max(most)

export const pricingImportConfig = platformConfig.extend({
  ...filesConfig.shape,
  /** encrypts the passwords of sources at rest */
  SECRETS_KEY: secretsKey,
  /** the folder that gateways put fresh uploads into; without it they come through the bus */
  UPLOADS_PATH: z.string().min(1).optional(),
  /** imports that one process runs at once */
  IMPORT_PARALLEL: count(1, 32).default(2),
  /** milliseconds after which another worker takes over the import of a silent worker */
  IMPORT_LEASE_MS: count(500, 600_000).default(30_000),
  /** rows written at once */
  IMPORT_BATCH_ROWS: count(1, 20_000).default(5_000),
  /** milliseconds between two savings of counters and resume point */
  IMPORT_SAVE_MS: count(0, 60_000).default(250),
  /** milliseconds for which the rows of a version stay readable after it was dropped */
  IMPORT_REMOVE_AFTER_MS: count(0, 3_600_000).default(60_000),
  /** host names, addresses or CIDRs that sources may reach although they are not public, divided by commas */
  SOURCE_ALLOWED_HOSTS: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== ''),
    ),
  /**
   * certificates (PEM) of authorities that sources may use besides the usual ones; `SOURCE_CERTIFICATES_FILE` names a
   * file of them
   */
  SOURCE_CERTIFICATES: z
    .string()
    .default('')
    .transform((text) => (text.trim() === '' ? [] : [text])),
})

export type PricingImportConfig = z.infer<typeof pricingImportConfig>
