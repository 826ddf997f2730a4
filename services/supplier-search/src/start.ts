import { type RunningService, startService } from '@partsbus/platform/service'
import type { SupplierSearchConfig } from './config.js'
import { createContext, type SupplierSearchContext } from './context.js'
import { SupplierSearchModule } from './supplier-search.module.js'

export function startSupplierSearch(config: SupplierSearchConfig): Promise<RunningService<SupplierSearchContext>> {
  return startService('supplier-search', config, async (parts) => ({ ctx: createContext(parts) }), (ctx) => SupplierSearchModule.of(ctx))
}
