import { statfs } from 'node:fs/promises'
import { isDiskFull } from '@partsbus/contracts/administration/problem-codes'
import type { RepairableFinding } from './finding.js'

/** @param minBytes in place of what the overview counts as full (admin.md#problems) */
export async function checkDisk(folder: string, minBytes?: number): Promise<RepairableFinding[]> {
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
