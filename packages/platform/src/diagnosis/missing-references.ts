import type { Collection, Document } from 'mongodb'
import type { RepairableFinding } from './finding.js'

const BATCH = 1_000
const NAMED = 5

export interface Reference {
  code: RepairableFinding['code']
  /** who refers, and to what */
  text: (count: number, ids: string) => string
  advice: string
  severity?: 'error' | 'warning'
  /** the documents that count; all unless given */
  of?: Document
}

/**
 * Reports the values of a field that name nothing.
 * @param field may be in an array
 * @param known those of some ids, at most 1,000, that exist
 */
export async function findMissingReferences(
  from: Collection<Document>,
  field: string,
  known: (ids: number[]) => Promise<ReadonlySet<number>>,
  reference: Reference,
): Promise<RepairableFinding[]> {
  const missing = new Set<number>()
  let batch = new Set<number>()
  const compare = async (): Promise<void> => {
    const found = await known([...batch])
    for (const id of batch) if (!found.has(id)) missing.add(id)
    batch = new Set()
  }
  for await (const document of from.find(reference.of ?? {}, { projection: { [field]: 1 } })) {
    for (const value of readPath(document, field.split('.'))) if (typeof value === 'number') batch.add(value)
    if (batch.size >= BATCH) await compare()
  }
  await compare()
  if (missing.size === 0) return []
  const ids = [...missing].sort((one, other) => one - other)
  const named = ids.slice(0, NAMED).join(', ') + (ids.length > NAMED ? ', …' : '')
  const { code, text, advice, severity = 'error' } = reference
  return [{ code, severity, message: text(ids.length, named), advice }]
}

function readPath(value: unknown, [name, ...rest]: string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => readPath(each, name === undefined ? [] : [name, ...rest]))
  if (name === undefined) return [value]
  return typeof value === 'object' && value !== null ? readPath((value as Document)[name], rest) : []
}

/** Those of the ids that a field of a collection has. */
export function knownIds(collection: Collection<Document>, field: string) {
  return async (ids: number[]): Promise<Set<number>> => {
    const found = await collection.find({ [field]: { $in: ids } }, { projection: { [field]: 1 } }).toArray()
    return new Set(found.map((document) => document[field] as number))
  }
}
