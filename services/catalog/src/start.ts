import { type RunningService, startService } from '@partsbus/platform/process/service'
import { CatalogModule } from './catalog.module.js'
import type { CatalogConfig } from './config.js'
import { type CatalogContext, openContext } from './context.js'
import { keepPromises } from './keep-promises.js'

export function startCatalog(config: CatalogConfig): Promise<RunningService<CatalogContext>> {
  return startService(
    'catalog',
    config,
    async (parts) => {
      const ctx = await openContext(parts, config)
      return {
        ctx,
        start: async () => {
          keepPromises(ctx)
          await ctx.media.start()
        },
        stop: async () => {
          await ctx.media.stop()
          await ctx.background.stop()
          // what is not deleted now is published once more by another process
          await ctx.outbox.flush().catch(() => undefined)
        },
      }
    },
    (ctx) => CatalogModule.of(ctx),
  )
}
