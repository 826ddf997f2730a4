import type { RunningProduct } from '@partsbus/local-stack/running-product'
import { withDatabase } from '../testing/stored-images.js'

/** How often each import was claimed, read from the database because no API returns it. */
export async function readAttempts(product: RunningProduct, taskIds: number[]): Promise<Map<number, number>> {
  const url = product.databaseUrl()
  if (url === undefined)
    throw new Error('The database does not run as a process of this machine: what is stored cannot be read')
  return withDatabase(url, async (client) => {
    const tasks = client.db('partsbus_pricing_import').collection<{ _id: number; attempt: number }>('import_tasks')
    const found = await tasks
      .find({ _id: { $in: taskIds } })
      .project<{ _id: number; attempt: number }>({ attempt: 1 })
      .toArray()
    return new Map(found.map(({ _id, attempt }) => [_id, attempt]))
  })
}
