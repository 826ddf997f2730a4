import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningProduct } from '@partsbus/local-stack/running-product'

/** Linux counts processor time in hundredths of a second. */
const MS_PER_TICK = 10
const PAGE = 4_096

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
export const processTime = (pid: number): number => sumOfTree(pid, ticks) * MS_PER_TICK

/** @returns memory of a process and its children in MB, in which a page that several processes share counts once */
export const proportionalMb = (pid: number): number =>
  sumOfTree(pid, (each) => Number(/^Pss:\s+(\d+) kB/m.exec(read(`/proc/${each}/smaps_rollup`))?.[1] ?? 0)) / 1024

/** Samples the memory of a process and its children. `stop` returns peaks in MB. */
export function watchMemory(pid: number, everyMs = 10): { stop(): { together: number; children: number } } {
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

/** Processor time of some work, without what the idle product uses. */
export interface ProcessorUse {
  /** of the work, as it says */
  ms: number
  /** in ms by process */
  times: Map<string, number>
}

/**
 * @param idle ms for each ms, by process
 * @param restMs work in the background after an answer is a part of its cost: events and deleted outbox entries
 */
export async function measureProcessor(
  product: RunningProduct,
  idle: ReadonlyMap<string, number>,
  restMs: number,
  work: () => Promise<number>,
): Promise<ProcessorUse> {
  const { value, times, elapsed } = await spent(product, async () => {
    const ms = await work()
    await sleep(restMs)
    return ms
  })
  const used = [...times].map(([name, ms]) => [name, Math.max(0, ms - (idle.get(name) ?? 0) * elapsed)] as const)
  return { ms: value, times: new Map(used) }
}

/** Processor time of the product without load by process, in ms for each ms. */
export async function measureIdle(product: RunningProduct, ms: number): Promise<Map<string, number>> {
  const { times, elapsed } = await spent(product, () => sleep(ms))
  return new Map([...times].map(([name, time]) => [name, time / elapsed]))
}

async function spent<Value>(product: RunningProduct, work: () => Promise<Value>) {
  const [before, start] = [processorTimes(product), performance.now()]
  const value = await work()
  const [after, elapsed] = [processorTimes(product), performance.now() - start]
  return { value, elapsed, times: new Map([...after].map(([name, ms]) => [name, ms - (before.get(name) ?? 0)])) }
}

const sumOfTree = (pid: number, value: (pid: number) => number): number =>
  listChildren(pid).reduce((sum, child) => sum + sumOfTree(child, value), value(pid))

/** A process that has ended is counted in its parent, once the parent has waited for it. */
function ticks(pid: number): number {
  const stat = read(`/proc/${pid}/stat`)
  // the name of the program, in brackets, may contain blanks
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field] ?? 0), 0)
}

const residentMb = (pid: number): number => (Number(read(`/proc/${pid}/statm`).split(' ')[1] ?? 0) * PAGE) / 1024 ** 2

const listChildren = (pid: number): number[] =>
  (read(`/proc/${pid}/task/${pid}/children`).match(/\d+/g) ?? []).map(Number)

/** Empty when the process has exited. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
