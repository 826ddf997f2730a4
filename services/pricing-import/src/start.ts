import { type RunningService, startService } from '@partsbus/platform/process/service'
import type { PricingImportConfig } from './config.js'
import { createContext, type PricingImportContext } from './context.js'
import { ImportWorker } from './imports/import-worker.js'
import { KeepClean } from './keep-clean.js'
import { PricingImportModule } from './pricing-import.module.js'

export function startPricingImport(config: PricingImportConfig): Promise<RunningService<PricingImportContext>> {
  return startService(
    'pricing-import',
    config,
    async (parts) => {
      const ctx = await createContext(parts, config)
      const worker = new ImportWorker(ctx)
      const clean = new KeepClean(ctx)
      return {
        ctx,
        start: () => {
          worker.start()
          clean.start()
          ctx.sources.start()
        },
        stop: async () => {
          await Promise.all([worker.stop(), clean.stop(), ctx.sources.stop()])
        },
      }
    },
    (ctx) => PricingImportModule.of(ctx),
  )
}
