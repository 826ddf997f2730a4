import { dropDisturbed, ReplicaSetControl } from '@partsbus/test-kit/replica-set/replica-set-control'
import { type Mongo, openMongo } from '../mongo/connection.js'
import { toAppError } from '../mongo/to-app-error.js'
import { createLog } from '../process/log.js'

/** A replica set, and the database of one spec in it. */
export interface ReplicaSetUnderTest {
  set: ReplicaSetControl
  mongo: Mongo
  close(): Promise<void>
}

/** @param backendUrl what an emulated set keeps its data in */
export async function openReplicaSet(backendUrl: string, name: string): Promise<ReplicaSetUnderTest> {
  const set = await ReplicaSetControl.open(backendUrl)
  const database = `test_${name}_${process.pid}`
  const log = createLog('test', 'silent')
  const mongo = openMongo({ url: set.url, database, poolSize: 10, appName: 'test', log })
  await mongo.client.connect()
  return {
    set,
    mongo,
    close: async () => {
      try {
        await dropDisturbed(mongo.db)
      } finally {
        await mongo.close()
        await set.close()
      }
    },
  }
}

/** How a request is answered that this work is made for. */
export function answerOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'OK',
    (error: unknown) => toAppError(error).code,
  )
}
