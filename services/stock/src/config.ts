import { platformConfig, secretsKey } from '@partsbus/platform/process/config'
import type { z } from 'zod'

export const stockConfig = platformConfig.extend({
  /** encrypts the header values of http suppliers at rest */
  SECRETS_KEY: secretsKey,
})

export type StockConfig = z.infer<typeof stockConfig>
