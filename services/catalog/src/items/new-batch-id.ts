import { randomBytes } from 'node:crypto'

/** Names one batch in the items it wrote and in the events it made. */
export function newBatchId(): string {
  return randomBytes(9).toString('base64url')
}
