import { readFileSync } from 'node:fs'

/** Sends a signal; 0 only looks. @returns false when the process is dead: a list of processes is always a little old */
export function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

/** A process that ended but was not yet waited for by its new parent counts as dead. */
export function isAlive(pid: number): boolean {
  try {
    if (!signalProcess(pid, 0)) return false
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
