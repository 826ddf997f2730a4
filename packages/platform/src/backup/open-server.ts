import { MongoClient } from 'mongodb'
import { DURABLE } from '../mongo/durable.js'

const SELECTION_MS = 5_000

/** Opens a server for a command that ends. It is connected with the first request. */
export function openServer(address: string, appName: string): MongoClient {
  return new MongoClient(address, {
    appName,
    serverSelectionTimeoutMS: SELECTION_MS,
    // what is checked must survive the loss of the primary
    readConcern: { level: 'majority' },
    writeConcern: DURABLE,
  })
}
