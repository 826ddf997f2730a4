import { type RunningService, startService } from '@partsbus/platform/process/service'
import { AdministrationModule } from './administration.module.js'
import type { AdministrationConfig } from './config.js'
import { diagnosis } from './diagnosis.js'
import { migrations } from './migrations.js'

export function startAdministration(config: AdministrationConfig): Promise<RunningService> {
  return startService('administration', config, AdministrationModule, migrations, diagnosis)
}
