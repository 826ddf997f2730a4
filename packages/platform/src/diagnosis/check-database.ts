import type { Db } from 'mongodb'
import type { RepairableFinding } from './finding.js'

/** An entry is published within seconds. */
const OUTBOX_MS = 5 * 60_000
const CLOCK_MS = 5_000

/** @param indexes names of the indexes that must be there, by collection */
export async function checkIndexes(
  service: string,
  db: Db,
  indexes: Readonly<Record<string, readonly string[]>>,
): Promise<RepairableFinding[]> {
  const found: RepairableFinding[] = []
  for (const [collection, names] of Object.entries(indexes)) {
    const present = await db
      .collection(collection)
      .indexes()
      .catch(() => undefined)
    const missing = names.filter((name) => !present?.some((index) => index.name === name))
    if (missing.length === 0) continue
    found.push({
      code: 'index-missing',
      severity: 'error',
      message: `The collection ${collection} of ${service} lacks the index ${missing.join(', ')}.`,
      advice: `Restart ${service}: it creates missing indexes at start. Its log says why one cannot be created.`,
    })
  }
  return found
}

/** Changes whose events are not published. */
export async function checkOutbox(service: string, db: Db): Promise<RepairableFinding[]> {
  const overdue = await db.collection('outbox').countDocuments({ at: { $lt: new Date(Date.now() - OUTBOX_MS) } })
  if (overdue === 0) return []
  return [
    {
      code: 'outbox-overdue',
      severity: 'error',
      message: `${overdue} changes of ${service} are older than 5 minutes, and their events are not published.`,
      advice: `Check that the bus accepts messages (partsbus doctor names missing streams), and the log of ${service}.`,
    },
  ]
}

/** Compares the clock of the database with that of this machine. */
export async function checkClock(db: Db, now: () => number = Date.now): Promise<RepairableFinding[]> {
  const before = now()
  const { localTime } = await db.admin().command({ hello: 1 })
  const differenceMs = (localTime as Date).getTime() - (before + now()) / 2
  if (Math.abs(differenceMs) < CLOCK_MS) return []
  return [
    {
      code: 'clock-skew',
      severity: 'warning',
      message: `The clock of the database differs by ${Math.round(differenceMs / 1_000)} s from that of this machine.`,
      advice: 'Synchronize the clocks of all machines by NTP.',
    },
  ]
}
