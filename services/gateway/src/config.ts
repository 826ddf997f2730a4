import { platformConfig } from '@partsbus/platform/process/config'
import { z } from 'zod'
import { isAddressOrRange } from './http/address/address-list.js'

const addressRanges = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  )
  .refine((entries) => entries.every(isAddressOrRange), 'must be addresses or CIDR blocks, separated by commas')

/** Variables of the gateway, beside those every process reads. */
export const gatewayConfig = platformConfig.extend({
  /** 0 takes a free one */
  PORT: z.coerce.number().int().min(0).max(65_535).default(8_080),
  /** a container that is reached from outside says 0.0.0.0 or :: */
  HOST: z.string().min(1).default('127.0.0.1'),
  /** opens `/api/admin`; never the ERP or B2B token. Other characters could never arrive in a bearer header. */
  ADMIN_TOKEN: z
    .string()
    .regex(/^[A-Za-z0-9._~+/=-]+$/, 'must be made of letters, digits and ._~+/=-')
    .refine((token) => token !== 'changeme', 'must be changed'),
  /** proxies whose `X-Forwarded-For` is believed */
  TRUSTED_PROXIES: addressRanges,
  /** how the outside reaches the gateway, like `https://parts.example.org`; addresses of pictures begin with it */
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  /** a folder that `pricing-import` sees too; uploads go to it through that folder, else through the bus */
  UPLOADS_PATH: z.string().min(1).optional(),
  /** how long requests are served on after `/readyz` turned, so that balancers can look away */
  SHUTDOWN_DELAY_MS: z.coerce.number().int().min(0).max(20_000).default(5_000),
})

export type GatewayConfig = z.infer<typeof gatewayConfig>
