import { readConfig } from '@partsbus/platform/process/config'
import { runMain } from '@partsbus/platform/process/run-main'

void runMain('catalog', {
  start: async () => {
    const { catalogConfig } = await import('./config.js')
    const { startCatalog } = await import('./start.js')
    return startCatalog(readConfig(catalogConfig))
  },
  loadMigrations: () => import('./migrations.js'),
  loadDiagnosis: () => import('./diagnosis.js'),
})
