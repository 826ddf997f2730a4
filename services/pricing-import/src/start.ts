import { type RunningService, startService } from '@partsbus/platform/process/service'
import type { PricingImportConfig } from './config.js'
import { diagnosis } from './diagnosis.js'
import { migrations } from './migrations.js'
import { PricingImportModule } from './pricing-import.module.js'

export function startPricingImport(config: PricingImportConfig): Promise<RunningService> {
  return startService('pricing-import', config, PricingImportModule, migrations, diagnosis)
}
