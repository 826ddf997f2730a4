import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Names carry the process that works there: ours, and those of the readers in child processes. */
const NAME = /^(?:partsbus-file|price-file)-(\d+)-/

/** Makes a folder for one file on its way; the caller removes it. */
export function makeFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), `partsbus-file-${process.pid}-`))
}

/**
 * Removes what processes that were killed left, this one's number included: called before the first folder is made. In a
 * container every process has the same number, and only this one is there.
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
    // it belongs to somebody else
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
