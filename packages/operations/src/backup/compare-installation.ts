import {
  compareDocuments,
  countDocuments,
  type DocumentDifference,
  isComparable,
} from '@partsbus/platform/backup/compare-documents'
import type { Databases } from './open-databases.js'
import { documentsPath, readDump } from './documents.js'
import type { Manifest } from './manifest.js'

const BATCH = 500
const NAMED = 20

export interface Difference extends DocumentDifference {
  /** like `catalog products` */
  collection: string
}

export interface Comparison {
  counts: Array<{ collection: string; backup: number; installation: number }>
  compared: number
  /** the first ones */
  differences: Difference[]
  different: number
}

/**
 * Compares a backup with an installation: counts of all collections and the fields of sampled documents.
 * @param sample compared documents of each collection, spread evenly; all of a collection that has fewer
 */
export async function compareInstallation(
  folder: string,
  { databases: backedUp, are_counts_exact: areExact }: Manifest,
  installed: Databases,
  { sample, onCompared }: { sample: number; onCompared: (count: number) => void },
): Promise<Comparison> {
  const result: Comparison = { counts: [], compared: 0, differences: [], different: 0 }
  for (const { service, name: folderName, collections } of backedUp) {
    const database = installed.get(service)
    if (!database) continue
    for (const [name, listed] of Object.entries(collections)) {
      if (!isComparable(database, name)) continue
      const collection = `${service} ${name}`
      const step = Math.max(1, Math.ceil(listed / sample))
      let count = 0
      let batch: Uint8Array[] = []
      const flush = async (): Promise<void> => {
        for (const { id, fields } of await compareDocuments(database, name, batch)) {
          result.different += 1
          if (result.differences.length < NAMED) result.differences.push({ collection, id, fields })
        }
        result.compared += batch.length
        onCompared(result.compared)
        batch = []
      }
      for await (const document of readDump(folder, documentsPath(folderName, name))) {
        if (count % step === 0) batch.push(Buffer.from(document))
        count += 1
        if (batch.length >= BATCH) await flush()
      }
      await flush()
      const installation = await countDocuments(database, name)
      const backup = areExact ? listed : count
      if (installation !== backup) result.counts.push({ collection, backup, installation })
    }
  }
  return result
}
