import { MongoClient, MongoServerError } from 'mongodb'
import { mongoAnswers } from './answers.ts'
import { type Credentials, makePrivateFolder } from './credentials.ts'
import type { ProcessPlan } from './supervised-process.ts'

const UNAUTHORIZED = 13

/** A standalone mongod of the machine: the product needs no replica set. */
export function mongodPlan(
  place: { program: string; stateDir: string; port: number; client: Credentials },
  logFile: string,
): ProcessPlan {
  makePrivateFolder(place.stateDir)
  return {
    name: 'mongod',
    command: place.program,
    args: ['--dbpath', place.stateDir, '--port', String(place.port), '--bind_ip', '127.0.0.1', '--auth'],
    port: place.port,
    logFile,
    isReady: async () => (await mongoAnswers(place.port)) && createFirstUser(place.port, place.client),
    stopWithinMs: 5_000,
  }
}

/**
 * Until the first user exists, mongod lets a client of the same machine create it; after that the command is refused.
 */
async function createFirstUser(port: number, { user, password }: Credentials): Promise<boolean> {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/`, { directConnection: true })
  try {
    await client.db('admin').command({ createUser: user, pwd: password, roles: ['root'] })
  } catch (error) {
    if (!(error instanceof MongoServerError && error.code === UNAUTHORIZED)) throw error
  } finally {
    await client.close()
  }
  return true
}
