import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'

/** Bytes on disk of collections, indexes and the streams of the bus. */
export class DiskBytes {
  constructor(
    /** by `database.collection` */
    readonly data: ReadonlyMap<string, number>,
    readonly indexes: ReadonlyMap<string, number>,
    readonly bus: number,
  ) {}

  minus(earlier: DiskBytes): DiskBytes {
    const differ = (now: ReadonlyMap<string, number>, before: ReadonlyMap<string, number>) =>
      new Map([...now].map(([name, bytes]) => [name, bytes - (before.get(name) ?? 0)]))
    return new DiskBytes(differ(this.data, earlier.data), differ(this.indexes, earlier.indexes), this.bus - earlier.bus)
  }
}

export interface DiskUse {
  read(): Promise<DiskBytes>
  close(): Promise<void>
}

/** @param busFolder the streams of the local stack's bus; it may not exist */
export async function openDiskUse(databaseUrl: string, busFolder: string): Promise<DiskUse> {
  const client = new MongoClient(databaseUrl)
  await client.connect()
  return {
    async read() {
      const [data, indexes] = [new Map<string, number>(), new Map<string, number>()]
      const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true })
      for (const { name } of databases.filter((one) => one.name.startsWith('partsbus_'))) {
        for (const { name: collection } of await client.db(name).listCollections({}, { nameOnly: true }).toArray()) {
          const stats = await client.db(name).command({ collStats: collection })
          const path = `${name.slice('partsbus_'.length)}.${collection}`
          data.set(path, Number(stats.storageSize))
          indexes.set(path, Number(stats.totalIndexSize))
        }
      }
      return new DiskBytes(data, indexes, folderBytes(busFolder))
    },
    close: () => client.close(),
  }
}

function folderBytes(folder: string): number {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .reduce((sum, { parentPath, name }) => sum + allocated(join(parentPath, name)), 0)
  } catch {
    return 0
  }
}

/** Zero when the file was removed meanwhile. */
function allocated(path: string): number {
  return (statSync(path, { throwIfNoEntry: false })?.blocks ?? 0) * 512
}
