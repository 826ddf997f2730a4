import { platformConfig } from '@partsbus/platform/process/config'
import { z } from 'zod'

export const supplierSearchConfig = platformConfig.extend({
  /** `on`: http suppliers on addresses that are not public are asked only when SUPPLIER_ALLOWED_HOSTS holds them (docs/decisions/0006-supplier-addresses.md) */
  SUPPLIER_GUARD: z.enum(['on', 'off']).default('off'),
  /** host names, addresses and CIDRs, with commas between them */
  SUPPLIER_ALLOWED_HOSTS: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== ''),
    ),
})

export type SupplierSearchConfig = z.infer<typeof supplierSearchConfig>
