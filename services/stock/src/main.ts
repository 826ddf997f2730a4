import { readConfig } from '@partsbus/platform/process/config'
import { runMain } from '@partsbus/platform/process/run-main'

void runMain('stock', {
  start: async () => {
    const { stockConfig } = await import('./config.js')
    const { startStock } = await import('./start.js')
    return startStock(readConfig(stockConfig))
  },
  loadMigrations: () => import('./migrations.js'),
  loadDiagnosis: () => import('./diagnosis.js'),
})
