import { type RunningService, startService } from '@partsbus/platform/process/service'
import type { SupplierSearchConfig } from './config.js'
import { diagnosis } from './diagnosis.js'
import { migrations } from './migrations.js'
import { SupplierSearchModule } from './supplier-search.module.js'

export function startSupplierSearch(config: SupplierSearchConfig): Promise<RunningService> {
  return startService('supplier-search', config, SupplierSearchModule, migrations, diagnosis)
}
