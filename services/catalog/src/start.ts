import { type RunningService, startService } from '@partsbus/platform/process/service'
import { CatalogModule } from './catalog.module.js'
import type { CatalogConfig } from './config.js'
import { diagnosis } from './diagnosis.js'
import { migrations } from './migrations.js'

export function startCatalog(config: CatalogConfig): Promise<RunningService> {
  return startService('catalog', config, CatalogModule, migrations, diagnosis)
}
