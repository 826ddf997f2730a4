import { readFileSync } from 'node:fs'
import type { RunningProduct } from '@partsbus/local-stack/running-product'

/** Linux counts processor time in hundredths of a second. */
const MS_PER_TICK = 10

/** @returns peak resident memory of each process since its start, in MB */
export function peakMemory(product: RunningProduct): Array<{ name: string; mb: number }> {
  return product.processes().map(({ name, pid, replica }) => ({
    name: replica === undefined || replica === 1 ? name : `${name} ${replica}`,
    mb: Number(/VmHWM:\s+(\d+) kB/.exec(read(`/proc/${pid}/status`))?.[1] ?? NaN) / 1024,
  }))
}

/** @returns processor time of all processes of the product and their children so far, in ms */
export function processorMs(product: RunningProduct): number {
  return [...processorTimes(product).values()].reduce((sum, ms) => sum + ms, 0)
}

/** @returns the same by the name of the process; the replicas of a service are added up */
export function processorTimes(product: RunningProduct): Map<string, number> {
  const times = new Map<string, number>()
  for (const { name, pid } of product.processes()) times.set(name, (times.get(name) ?? 0) + processTime(pid))
  return times
}

/** @returns processor time of a process and its children so far, in ms */
export const processTime = (pid: number): number => ticksOfTree(pid) * MS_PER_TICK

/** A process that has ended is counted in its parent, once the parent has waited for it. */
function ticksOfTree(pid: number): number {
  const stat = read(`/proc/${pid}/stat`)
  // the name of the program, in brackets, may contain blanks
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const own = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field] ?? 0), 0)
  const children = read(`/proc/${pid}/task/${pid}/children`).trim()
  return children === '' ? own : children.split(' ').reduce((sum, child) => sum + ticksOfTree(Number(child)), own)
}

/** Empty when the process has exited. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
