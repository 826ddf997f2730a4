import { chmod, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { RepairableFinding } from '@partsbus/platform/diagnosis/finding'

/** Files with secrets that others than their owner can read. */
export async function checkPermissions(env: NodeJS.ProcessEnv): Promise<RepairableFinding[]> {
  const folder = env.STATE_DIR
  const files = [
    ...(folder === undefined
      ? []
      : ['admin-token', 'secrets-key', 'credentials.json'].map((name) => join(folder, name))),
    ...['ADMIN_TOKEN_FILE', 'SECRETS_KEY_FILE'].flatMap((name) => env[name] ?? []),
  ]
  const found: RepairableFinding[] = []
  for (const file of files) {
    const mode = (await stat(file).catch(() => undefined))?.mode
    // files of a container's secrets belong to the engine and are alone in their container
    if (mode === undefined || (mode & 0o077) === 0 || file.startsWith('/run/secrets/')) continue
    found.push({
      code: 'secret-exposed',
      severity: 'warning',
      message: `${file} can be read by other users of this machine.`,
      advice: `chmod 600 ${file}`,
      fix: () => chmod(file, 0o600),
    })
  }
  return found
}
