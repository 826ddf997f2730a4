import { createHash } from 'node:crypto'

/** A short name for a text that may be long or hold secrets. */
export function fingerprint(text: string): string {
  return createHash('sha1').update(text).digest('base64url')
}
