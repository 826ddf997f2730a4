import { busLayout } from '@partsbus/contracts/streams'
import { z } from 'zod'
import { readConfig } from '../process/config.js'
import { createLog } from '../process/log.js'
import { connectBus } from './connection.js'
import { provisionStreams, replicasFrom } from './streams.js'

/*
 * The provisioning job: creates or updates the streams, consumers and buckets of the bus, and exits. It runs at every
 * deployment, before the services, as the one user with the right to do so.
 */
const provisionConfig = z.object({
  NATS_URL: z.string().min(1),
  NATS_USER: z.string().optional(),
  NATS_PASSWORD: z.string().optional(),
  NATS_CA: z.string().min(1).optional(),
  LOG_LEVEL: z.string().default('info'),
  /** 1, 3 or 5: copies of each stream in a cluster */
  STREAM_REPLICAS: z.string().default('1'),
})

try {
  const config = readConfig(provisionConfig)
  const replicas = replicasFrom(config)
  const log = createLog('provision', config.LOG_LEVEL)
  const bus = await connectBus({
    url: config.NATS_URL,
    user: config.NATS_USER,
    password: config.NATS_PASSWORD,
    ca: config.NATS_CA,
    name: 'provision',
    log,
  })
  await provisionStreams(bus.nc, busLayout, replicas)
  log.info({ streams: busLayout.streams.map(({ name }) => name), replicas }, 'streams provisioned')
  await bus.close()
  process.exit(0)
} catch (error) {
  process.stderr.write(`streams not provisioned: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
