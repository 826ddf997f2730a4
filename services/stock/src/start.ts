import { type RunningService, startService } from '@partsbus/platform/process/service'
import type { StockConfig } from './config.js'
import { diagnosis } from './diagnosis.js'
import { migrations } from './migrations.js'
import { StockModule } from './stock.module.js'

export function startStock(config: StockConfig): Promise<RunningService> {
  return startService('stock', config, StockModule, migrations, diagnosis)
}
