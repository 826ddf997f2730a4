import { platformConfig } from '@partsbus/platform/config'
import type { z } from 'zod'

export const supplierSearchConfig = platformConfig

export type SupplierSearchConfig = z.infer<typeof supplierSearchConfig>
