import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { audiences, buildDocument } from './document.js'
import { BASE_URL, builtDocuments } from './documents.js'

/** Writes the document of each audience; a step of the build. */
export function writeDocuments(folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const audience of audiences)
    writeFileSync(join(folder, `${audience}.json`), JSON.stringify(buildDocument(audience, BASE_URL)))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeDocuments(builtDocuments)
