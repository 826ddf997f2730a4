import { withoutTrailingSlashes } from '@partsbus/contracts/base-url'
import { isAddressOrRange } from '@partsbus/platform/net/address-list'
import { processConfig } from '@partsbus/platform/process/config'
import { z } from 'zod'

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

/** Shorter tokens could be guessed; 24 random characters of base64url are 144 bits. */
const MIN_TOKEN_LENGTH = 24

/** Variables of the gateway, in addition to those of every process. */
export const gatewayConfig = processConfig.extend({
  /** 0: a free port */
  PORT: z.coerce.number().int().min(0).max(65_535).default(8_080),
  /** the local address to listen on; 0.0.0.0 or :: in a container */
  HOST: z.string().min(1).default('127.0.0.1'),
  /** the bearer token of `/api/admin`; a header could not carry other characters */
  ADMIN_TOKEN: z
    .string()
    .regex(/^[A-Za-z0-9._~+/=-]+$/, 'must consist of letters, digits and ._~+/=-')
    .min(MIN_TOKEN_LENGTH, `must have at least ${MIN_TOKEN_LENGTH} characters`),
  /** the only clients of the admin API and the admin pages; empty: all */
  ADMIN_ALLOWED_IPS: addressRanges,
  /** proxies whose `X-Forwarded-For` is trusted: the addresses of the proxies alone, not of a network with clients */
  TRUSTED_PROXIES: addressRanges,
  /** the address of the gateway from outside, like `https://parts.example.org`; image URLs begin with it */
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .transform(withoutTrailingSlashes)
    .optional(),
  /** `on`: administrators may sign in over plain HTTP on a host that is not a loopback host */
  ADMIN_PLAIN_HTTP: z.enum(['on', 'off']).default('off'),
  /** a folder shared with `pricing-import`, to which uploads are written; without it they go through the bus */
  UPLOADS_PATH: z.string().min(1).optional(),
  /** how long the gateway accepts requests after `/readyz` has turned, in ms, so that load balancers notice */
  SHUTDOWN_DELAY_MS: z.coerce.number().int().min(0).max(20_000).default(5_000),
})

export type GatewayConfig = z.infer<typeof gatewayConfig>
