import { JetStreamApiError, jetstreamManager } from '@nats-io/jetstream'
import { busLayout } from '@partsbus/contracts/streams'
import { connectBus } from '@partsbus/platform/bus/connection'
import { createLog } from '@partsbus/platform/process/log'
import type { Db } from 'mongodb'
import type { Databases } from '../doctor/open-databases.js'
import type { BusAddress } from '../open-clients.js'
import { VOLATILE } from './dump-databases.js'
import type { Manifest } from './manifest.js'

/**
 * Ids that were allocated after the backup are known outside: task ids to partners, product ids to consumers of events,
 * addresses of images to caches. They must not be allocated to something else, so every counter skips this many.
 */
const SKIPPED_IDS = 1_000_000

const STREAM_NOT_FOUND = 10_059

interface CounterDocument {
  _id: string
  value: number
  /** the latest backup that raised it */
  restored_from?: string
}

/**
 * Makes restored databases safe to start: counters skip the ids of the lost time, both APIs are closed, tokens and
 * sessions are gone. What was revoked after the backup would be valid again. It may be repeated.
 */
export async function finishRestore({ of }: Databases, { id }: Pick<Manifest, 'id'>): Promise<void> {
  for (const db of of.values()) await raiseCounters(db, id)
  const gateway = of.get('gateway')
  if (!gateway) return
  await gateway.collection<{ _id: string }>('settings').updateOne(
    { _id: 'settings' },
    {
      $set: {
        'values.erp_enabled': false,
        'values.b2b_enabled': false,
        // of a backup that paused writes
        'values.maintenance': null,
        'tokens.erp': null,
        'tokens.b2b': null,
      },
      $inc: { rev: 1 },
    },
  )
  for (const name of VOLATILE) await gateway.collection(name).deleteMany({})
}

async function raiseCounters(db: Db, id: string): Promise<void> {
  await db
    .collection<CounterDocument>('counters')
    .updateMany({ restored_from: { $ne: id } }, { $inc: { value: SKIPPED_IDS }, $set: { restored_from: id } })
}

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
