import { platformConfig } from '@partsbus/platform/process/config'
import { z } from 'zod'

export const supplierSearchConfig = platformConfig.extend({
  /** `off`: http suppliers may be at any address but link-local ones (rules.md#suppliers-guard) */
  SUPPLIER_GUARD: z.enum(['on', 'off']).default('on'),
  /** host names, addresses and CIDRs that http suppliers may be at although they are not public, separated by commas */
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
