import { readFileSync } from 'node:fs'

/** @returns memory of a process and its children in MB, in which a page that several processes share counts once */
export function proportionalMb(pid: number): number {
  const kb = Number(/^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0)
  const children = read(`/proc/${pid}/task/${pid}/children`).trim()
  const ofChildren = children === '' ? [] : children.split(' ').map((child) => proportionalMb(Number(child)))
  return ofChildren.reduce((sum, mb) => sum + mb, kb / 1024)
}

/** Empty when the process has exited. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
