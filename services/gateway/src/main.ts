import { readConfig } from '@partsbus/platform/process/config'
import { runMain } from '@partsbus/platform/process/run-main'

void runMain('gateway', {
  start: async () => {
    const { gatewayConfig } = await import('./config.js')
    const { startGateway } = await import('./start.js')
    return startGateway(readConfig(gatewayConfig))
  },
})
