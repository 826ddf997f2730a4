import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface BuildInfo {
  version: string
  /** the short hash, or `unknown` where the build did not name it */
  commit: string
}

/** The version is written once, in the root manifest; containers have a copy of it in the root folder. */
export const buildInfo: BuildInfo = {
  version: readVersion(dirname(fileURLToPath(import.meta.url))),
  commit: process.env.PARTSBUS_COMMIT || 'unknown',
}

function readVersion(folder: string): string {
  const manifest = readManifest(join(folder, 'package.json'))
  if (manifest?.name === 'partsbus') return manifest.version ?? 'unknown'
  const parent = dirname(folder)
  return parent === folder ? 'unknown' : readVersion(parent)
}

function readManifest(path: string): { name?: string; version?: string } | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    // no manifest in this folder
    return undefined
  }
}
