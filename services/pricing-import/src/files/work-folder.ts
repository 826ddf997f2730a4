import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Names carry the id of the process that works there: this one, or the parent of a reader process. */
const NAME = /^(?:partsbus-file|price-file)-(\d+)-/

/** Makes a folder for one file on its way; the caller removes it. */
export function makeFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), `partsbus-file-${process.pid}-`))
}

/** Besides the file itself there is what an archive unpacks to, and what an import notes about its rows. */
const COPIES = 3
const RESERVE_BYTES = 64 * 1024 * 1024

/** @throws Error with the code ENOSPC when a file of that many bytes would fill the disk */
export async function requireDiskSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const needed = bytes * COPIES + RESERVE_BYTES
  if (free < needed)
    throw Object.assign(new Error(`${free} bytes of disk space are free, ${needed} are needed`), { code: 'ENOSPC' })
}

/**
 * Removes what processes that were killed left, this one's number included: called before the first folder is made. In
 * a container every process has the same number, and only this one is there.
 */
export async function removeLeftFolders(place = tmpdir()): Promise<void> {
  for (const name of await readdir(place)) {
    const pid = Number(NAME.exec(name)?.[1])
    if (Number.isNaN(pid) || (pid !== process.pid && isAlive(pid))) continue
    await rm(join(place, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // it belongs to another user
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
