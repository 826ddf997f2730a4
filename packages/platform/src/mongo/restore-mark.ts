import type { Db } from 'mongodb'

export const RESTORES = 'restores'

/** A restore into this database that began and has not ended. Only that backup may continue. */
export interface RestoreMark {
  _id: 'restore'
  backup: string
  started_at: Date
  /** of the data that it replaces */
  counters?: Record<string, number>
  /** whether that data is gone */
  is_emptied?: boolean
}

/** @throws Error while the data of a restore is not complete */
export async function assertNoRestore(db: Db): Promise<void> {
  const mark = await db.collection<RestoreMark>(RESTORES).findOne({ _id: 'restore' })
  if (mark)
    throw new Error(
      `a restore of the backup ${mark.backup} into this database has not ended. Run it again, and start then ` +
        '(docs/operate/backup.md#restore).',
    )
}
