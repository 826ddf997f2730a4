import { chmod, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { isDiskFull } from '@partsbus/contracts/administration/problem-codes'
import type { Diagnosis } from './finding.js'

/** The folders that services write to, as far as they are named. */
export function namedFolders(env: NodeJS.ProcessEnv): string[] {
  const names = [env.STATE_DIR, env.STORAGE_PATH, env.FILES_PATH, env.UPLOADS_PATH]
  return [...new Set(names.filter((path): path is string => path !== undefined && path !== ''))]
}

/** @param minBytes in place of what the overview counts as full (admin.md#problems) */
export async function checkDisk(folder: string, minBytes?: number): Promise<Diagnosis[]> {
  const disk = await statfs(folder).catch(() => undefined)
  if (!disk)
    return [
      {
        code: 'folder-missing',
        severity: 'error',
        message: `The folder ${folder} cannot be read.`,
        advice: 'Create or mount it, and let the user of the service own it.',
      },
    ]
  const free = disk.bavail * disk.bsize
  const sizes = { free_bytes: free, size_bytes: disk.blocks * disk.bsize }
  if (minBytes === undefined ? !isDiskFull(sizes) : free >= minBytes) return []
  return [
    {
      code: 'disk-full',
      severity: 'error',
      message: `The disk of ${folder} has ${Math.floor(free / 1024 ** 2)} MiB left.`,
      advice: 'Free some space, or move the folder. Uploads are refused when the disk is full.',
    },
  ]
}

/** Files with secrets that others than their owner can read. */
export async function checkPermissions(env: NodeJS.ProcessEnv): Promise<Diagnosis[]> {
  const folder = env.STATE_DIR
  const files = [
    ...(folder === undefined
      ? []
      : ['admin-token', 'secrets-key', 'credentials.json'].map((name) => join(folder, name))),
    ...['ADMIN_TOKEN_FILE', 'SECRETS_KEY_FILE'].flatMap((name) => env[name] ?? []),
  ]
  const found: Diagnosis[] = []
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
