import { readConfig } from '@partsbus/platform/config'
import { runMain } from '@partsbus/platform/run-main'

void runMain('stock', async () => {
  const { stockConfig } = await import('./config.js')
  const { startStock } = await import('./start.js')
  return startStock(readConfig(stockConfig))
})
