import type { RunningProduct } from '@partsbus/local-stack/running-product'
import { MongoClient } from 'mongodb'

/** Runs `work` with a connection of its own to the product's database. */
export async function withDatabase<T>(url: string, work: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = await MongoClient.connect(url, { serverSelectionTimeoutMS: 10_000 })
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}

/** How many pictures are stored, and their bytes, seen from inside: every GridFS bucket of every database. */
export async function countStoredPictures(product: RunningProduct): Promise<{ pictures: number; bytes: number }> {
  const url = product.databaseUrl()
  if (url === undefined)
    throw new Error('The database does not run as a process of this machine: what is stored cannot be counted')
  return withDatabase(url, async (client) => {
    const total = { pictures: 0, bytes: 0 }
    for (const { name } of (await client.db().admin().listDatabases()).databases) {
      const db = client.db(name)
      for (const { name: collection } of await db.listCollections({}, { nameOnly: true }).toArray()) {
        if (!collection.endsWith('.files')) continue
        for await (const file of db.collection(collection).find({}, { projection: { length: 1 } })) {
          total.pictures += 1
          total.bytes += Number(file.length)
        }
      }
    }
    return total
  })
}
