import { SOCKET_TIMEOUT_MS } from '@partsbus/platform/mongo/connection'
import { collectDuplicates, retryConflicts } from '@partsbus/platform/mongo/errors'

/** A document that a unique index refused. */
export type Refused = { key: string; index: string }

/** The server ends a write that its client has given up: `ABANDONED_AFTER_MS` of the outbox relies on it. */
const options = { ordered: false, maxTimeMS: SOCKET_TIMEOUT_MS }

/**
 * Writes documents in one command, and again after a conflict.
 * @param begin called before each attempt; the write ends with what it throws
 * @returns the duplicates that were refused
 */
export async function writeLane(
  docs: readonly { _id: string }[],
  begin: () => void,
  write: (bulkOptions: typeof options) => Promise<unknown>,
): Promise<Refused[]> {
  const refused = await retryConflicts(() => {
    begin()
    return collectDuplicates(() => write(options))
  })
  return refused.map(({ position, index }) => ({ key: docs[position]?._id ?? '', index }))
}

export function keysRefusedBy(index: string, refused: readonly Refused[]): string[] {
  return refused.filter((one) => one.index === index).map(({ key }) => key)
}
