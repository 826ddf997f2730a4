import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/**
 * A lock file with the pid of its owner. A lock whose process no longer runs is free. On Linux the file also contains
 * the start time of the process, because pids are reused.
 */
export interface PidLock {
  release(): void
}

/** Acquires the lock. @returns the lock, or the pid of the process that has it */
export function acquirePidLock(path: string): PidLock | { heldBy: number } {
  const mine = `${process.pid} ${startTime(process.pid)}\n`
  for (;;) {
    try {
      writeFileSync(path, mine, { flag: 'wx' })
      return { release: () => rmSync(path, { force: true }) }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const seen = read(path)
    const holder = livePid(seen)
    if (holder !== undefined) return { heldBy: holder }
    setAside(path, seen)
  }
}

/** The pid in a lock file, if that process is running. */
function livePid(text: string): number | undefined {
  const [pid = Number.NaN, startedAt] = text.trim().split(' ').map(Number)
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  return startTime(pid) === startedAt ? pid : undefined
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/**
 * Removes a stale lock. Because it is renamed first, one of several waiters wins; a lock acquired meanwhile is
 * restored.
 */
function setAside(path: string, dead: string): void {
  const aside = `${path}.${process.pid}.dead`
  try {
    renameSync(path, aside)
    if (read(aside) === dead) rmSync(aside, { force: true })
    else renameSync(aside, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/** Start time in clock ticks since boot on Linux, 0 elsewhere, undefined when the process does not exist. */
function startTime(pid: number): number | undefined {
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19])
    } catch {
      return undefined
    }
  }
  try {
    process.kill(pid, 0)
    return 0
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? 0 : undefined
  }
}
