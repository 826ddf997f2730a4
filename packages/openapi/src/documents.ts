import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Stands for the base URL in the documents, which are written once for all clients. */
export const BASE_URL = 'https://base-url.invalid'

/** Where the build leaves the documents. */
export const builtDocuments = fileURLToPath(new URL('documents', import.meta.url))

/** A document in pieces between which the base URL stands, so that no request searches or encodes the text again. */
export interface StoredDocument {
  hash: string
  pieces: Buffer[]
}

/** @returns undefined where it is not built */
export function readDocument(folder: string, audience: string): StoredDocument | undefined {
  const file = join(folder, `${audience}.json`)
  if (!existsSync(file)) return undefined
  const json = readFileSync(file, 'utf8')
  return { hash: hash('sha256', json, 'base64url'), pieces: json.split(BASE_URL).map((piece) => Buffer.from(piece)) }
}
