import { type RunningService, startService } from '@partsbus/platform/service'
import type { PricingImportConfig } from './config.js'
import { createContext, type PricingImportContext } from './context.js'
import { PricingImportModule } from './pricing-import.module.js'

export function startPricingImport(config: PricingImportConfig): Promise<RunningService<PricingImportContext>> {
  return startService('pricing-import', config, async (parts) => ({ ctx: createContext(parts) }), (ctx) => PricingImportModule.of(ctx))
}
