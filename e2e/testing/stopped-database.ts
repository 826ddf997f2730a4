import { startDatabaseAlone } from '@partsbus/local-stack/start-database-alone'
import type { MongoClient } from 'mongodb'
import { withDatabase } from './stored-images.js'

/** Runs `work` with the database of a state folder whose services are stopped. */
export async function withStoppedDatabase<T>(
  stateDir: string,
  work: (client: MongoClient, url: string) => Promise<T>,
): Promise<T> {
  const server = await startDatabaseAlone(stateDir)
  try {
    return await withDatabase(server.url, (client) => work(client, server.url))
  } finally {
    await server.stop()
  }
}
