import { readConfig } from '@partsbus/platform/process/config'
import { runMain } from '@partsbus/platform/process/run-main'

// the name that the database was created with, when the gateway owned it
process.env['MONGODB_DATABASE'] ||= 'partsbus_gateway'

void runMain('administration', {
  start: async () => {
    const { administrationConfig } = await import('./config.js')
    const { startAdministration } = await import('./start.js')
    return startAdministration(readConfig(administrationConfig))
  },
  loadMigrations: () => import('./migrations.js'),
  loadDiagnosis: () => import('./diagnosis.js'),
})
