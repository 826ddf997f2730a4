import type { Db } from 'mongodb'

/** The time by the database's clock, the one clock that all replicas share. Asked for by `hello`: FerretDB knows `$$NOW` not everywhere. */
export async function databaseNow(db: Db): Promise<Date> {
  const { localTime } = await db.command({ hello: 1 })
  return localTime instanceof Date ? localTime : new Date()
}
