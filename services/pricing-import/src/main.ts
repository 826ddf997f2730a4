import { readConfig } from '@partsbus/platform/process/config'
import { runMain } from '@partsbus/platform/process/run-main'

void runMain('pricing-import', {
  start: async () => {
    const { pricingImportConfig } = await import('./config.js')
    const { startPricingImport } = await import('./start.js')
    const { removeLeftFolders } = await import('./files/work-folder.js')
    await removeLeftFolders()
    return startPricingImport(readConfig(pricingImportConfig))
  },
  loadMigrations: () => import('./migrations.js'),
  loadDiagnosis: () => import('./diagnosis.js'),
})
