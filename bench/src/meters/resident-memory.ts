import { readFileSync } from 'node:fs'

const PAGE = 4_096
const EVERY_MS = 10

/** Samples the memory of a process and its children. */
export interface MemoryWatch {
  /** Stops sampling. @returns peaks in MB */
  stop(): { together: number; children: number }
}

export function watchMemory(pid: number, everyMs = EVERY_MS): MemoryWatch {
  let together = 0
  let children = 0
  const look = (): void => {
    const inChildren = listChildren(pid).reduce((sum, child) => sum + residentMb(child), 0)
    children = Math.max(children, inChildren)
    together = Math.max(together, residentMb(pid) + inChildren)
  }
  look()
  const timer = setInterval(look, everyMs)
  return {
    stop() {
      clearInterval(timer)
      return { together, children }
    },
  }
}

function listChildren(pid: number): number[] {
  return read(`/proc/${pid}/task/${pid}/children`)
    .trim()
    .split(' ')
    .filter((one) => one !== '')
    .map(Number)
}

function residentMb(pid: number): number {
  return (Number(read(`/proc/${pid}/statm`).split(' ')[1] ?? 0) * PAGE) / 1024 ** 2
}

/** Empty when the process has exited. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
