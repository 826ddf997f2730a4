import { type RunningService, startService } from '@partsbus/platform/process/service'
import type { StockConfig } from './config.js'
import { createContext, type StockContext } from './context.js'
import { StockModule } from './stock.module.js'

export function startStock(config: StockConfig): Promise<RunningService<StockContext>> {
  return startService(
    'stock',
    config,
    async (parts) => {
      const ctx = await createContext(parts, config)
      return { ctx, start: () => ctx.events.start(), stop: () => ctx.events.stop() }
    },
    (ctx) => StockModule.of(ctx),
  )
}
