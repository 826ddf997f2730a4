import { spawnSync } from 'node:child_process'
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEBIBYTE = 1024 * 1024

/** A file system of its own that a test can fill. */
export interface SmallDisk {
  path: string
  freeBytes(): number
  /** Writes a file that leaves about this many bytes. */
  fill(leaveBytes?: number): void
  /** Removes that file. */
  free(): void
  unmount(): void
}

/** @returns undefined if this process may not mount a tmpfs */
export function mountSmallDisk(mebibytes: number): SmallDisk | undefined {
  const path = mkdtempSync(join(tmpdir(), 'partsbus-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=0755`, 'tmpfs', path])
  if (mounted.status !== 0) {
    rmSync(path, { recursive: true })
    return undefined
  }
  const ballast = join(path, 'ballast')
  const freeBytes = (): number => {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize
  }
  return {
    path,
    freeBytes,
    fill(leaveBytes = 0) {
      const file = openSync(ballast, 'a')
      const block = Buffer.alloc(MEBIBYTE)
      try {
        for (;;) {
          const room = freeBytes() - leaveBytes
          if (room <= 0) return
          writeSync(file, block, 0, Math.min(block.length, room))
        }
      } catch (error) {
        if (!(error instanceof Error) || !('code' in error) || error.code !== 'ENOSPC') throw error
      } finally {
        fsyncSync(file)
        closeSync(file)
      }
    },
    free: () => rmSync(ballast, { force: true }),
    unmount() {
      // lazily, because a process that is ending may still have a file open
      spawnSync('umount', ['-l', path])
      rmSync(path, { recursive: true, force: true })
    },
  }
}
