import { CommandFailed } from '@partsbus/cli/exit-codes'
import type { Method } from './manifest.js'

export interface Surroundings {
  /** name of the replica set; undefined for a single server and for FerretDB */
  replicaSet: string | undefined
  hasMongodump: boolean
}

/**
 * The method that needs no pause of writes, where there is one.
 * @throws CommandFailed when the given method, or the only one without a pause, is not available
 */
export function chooseMethod(given: Method | undefined, { replicaSet, hasMongodump }: Surroundings) {
  if (given === 'mongodump' && replicaSet === undefined)
    throw new CommandFailed('mongodump --oplog needs a replica set. Use --method dump, which pauses writes.')
  const method: Method = given ?? (replicaSet === undefined ? 'dump' : 'mongodump')
  if (method === 'mongodump' && !hasMongodump)
    throw new CommandFailed(
      'mongodump is not on PATH. Install the MongoDB Database Tools, or use --method dump, which pauses writes.',
    )
  return method
}
