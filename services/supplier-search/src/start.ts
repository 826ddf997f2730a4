import { type RunningService, startService } from '@partsbus/platform/process/service'
import type { SupplierSearchConfig } from './config.js'
import { openContext, type SupplierSearchContext } from './context.js'
import { SupplierSearchModule } from './supplier-search.module.js'

export function startSupplierSearch(config: SupplierSearchConfig): Promise<RunningService<SupplierSearchContext>> {
  return startService(
    'supplier-search',
    config,
    async (parts) => {
      const ctx = await openContext(parts, config)
      return { ctx, stop: () => ctx.suppliers.close() }
    },
    (ctx) => SupplierSearchModule.of(ctx),
  )
}
