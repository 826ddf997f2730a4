import { JetStreamApiError, jetstreamManager } from '@nats-io/jetstream'
import { busLayout } from '@partsbus/contracts/streams'
import { connectBus } from '@partsbus/platform/bus/connection'
import { createLog } from '@partsbus/platform/process/log'
import type { BusAddress } from '../open-servers.js'

const STREAM_NOT_FOUND = 10_059

/**
 * Empties the bus: its events are of a time that is gone, and its work refers to it. Services make work that is left
 * again. @returns the streams that were purged
 */
export async function purgeBus(bus: BusAddress): Promise<string[]> {
  const log = createLog('cli', 'silent')
  const connection = await connectBus({ ...bus, waitsForServer: false, name: bus.user ?? 'cli', log })
  try {
    const manager = await jetstreamManager(connection.nc, { checkAPI: false })
    const names = [...busLayout.streams, ...busLayout.buckets.map(({ name }) => ({ name: `OBJ_${name}` }))]
    const purged: string[] = []
    for (const { name } of names) {
      try {
        await manager.streams.purge(name)
        purged.push(name)
      } catch (error) {
        // never provisioned
        if (!(error instanceof JetStreamApiError && error.code === STREAM_NOT_FOUND)) throw error
      }
    }
    return purged
  } finally {
    await connection.close()
  }
}
