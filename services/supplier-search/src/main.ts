import { readConfig } from '@partsbus/platform/process/config'
import { runMain } from '@partsbus/platform/process/run-main'

void runMain('supplier-search', {
  start: async () => {
    const { supplierSearchConfig } = await import('./config.js')
    const { startSupplierSearch } = await import('./start.js')
    return startSupplierSearch(readConfig(supplierSearchConfig))
  },
  loadMigrations: () => import('./migrations.js'),
  loadDiagnosis: () => import('./diagnosis.js'),
})
