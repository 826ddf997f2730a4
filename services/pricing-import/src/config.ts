import { platformConfig } from '@partsbus/platform/config'
import type { z } from 'zod'

export const pricingImportConfig = platformConfig

export type PricingImportConfig = z.infer<typeof pricingImportConfig>
