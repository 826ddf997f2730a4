import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './checkout.js'

/** A folder of secrets created by the script. */
export function makeSecrets(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'partsbus-secrets-'))
  const run = spawnSync('sh', [join(root, 'deploy/secrets.sh'), folder], { encoding: 'utf8' })
  if (run.status !== 0) throw new Error(run.stderr)
  return { folder, remove: () => rmSync(folder, { recursive: true }) }
}
