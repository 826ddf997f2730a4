import { JetStreamApiError, jetstreamManager } from '@nats-io/jetstream'
import { busLayout } from '@partsbus/contracts/streams'
import { connectBus } from '@partsbus/platform/bus/connection'
import { SKIPPED_IDS } from '@partsbus/platform/mongo/counter-store'
import { createLog } from '@partsbus/platform/process/log'
import type { Db } from 'mongodb'
import type { Databases } from './open-databases.js'
import type { BusAddress } from '../open-clients.js'
import type { UsedIds } from './check-target.js'
import { VOLATILE } from './dump-databases.js'
import type { Manifest } from './manifest.js'

const DAY_MS = 86_400_000
const STREAM_NOT_FOUND = 10_059

type RestoredBackup = Pick<Manifest, 'id' | 'moment'>

interface CounterDocument {
  _id: string
  value: number
  /** the latest backup that raised it */
  restored_from?: string
}

/**
 * Makes restored databases safe to start: counters skip the ids of the lost time, both APIs are closed, tokens and
 * sessions are gone. What was revoked after the backup would be valid again. It may be repeated.
 * @param used highest ids that the replaced data had allocated, by counter (rules.md#restored-ids)
 */
export async function finishRestore({ of }: Databases, backup: RestoredBackup, used: UsedIds): Promise<void> {
  for (const [service, db] of of) await raiseCounters(db, backup, used.get(service) ?? {})
  for (const db of of.values()) for (const name of VOLATILE) await db.collection(name).deleteMany({})
  const administration = of.get('administration')
  if (!administration) return
  await administration.collection<{ _id: string }>('settings').updateOne(
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
}

/*
 * Ids that were allocated after the backup are known outside: task ids to partners, product ids to consumers of events,
 * addresses of images to caches. They must not be allocated to something else. Where the replaced data is lost, an
 * earlier restore is not known; it skipped fewer ids.
 */
async function raiseCounters(db: Db, { id, moment }: RestoredBackup, used: Record<string, number>): Promise<void> {
  const counters = db.collection<CounterDocument>('counters')
  const restored = await counters.find().toArray()
  const days = Math.max(0, Date.now() - Date.parse(moment.until)) / DAY_MS
  for (const name of new Set([...restored.map(({ _id }) => _id), ...Object.keys(used)])) {
    const { value = 0, restored_from } = restored.find(({ _id }) => _id === name) ?? {}
    if (restored_from === id) continue
    const raised = Math.max(value + SKIPPED_IDS + Math.floor(days * SKIPPED_IDS), used[name] ?? 0)
    await counters.updateOne({ _id: name }, { $set: { value: raised, restored_from: id } }, { upsert: true })
  }
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
