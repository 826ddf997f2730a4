import { readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { ApiClient } from './api-client.js'
import type { Shop } from './shop.js'

const MIB = 1024 * 1024

/** What was seen of the product while something was done to it. */
export interface VitalSigns<T> {
  result: T
  /** milliseconds of `/api/erp/ping`, asked every 20 ms; Infinity where it failed */
  p99: number
  pings: number
  /** MiB by which the resident memory of a process rose above its beginning, at its highest */
  growth: Record<string, number>
  /** milliseconds of each ping, Infinity where it failed */
  times: number[]
  /** why pings failed */
  failures: string[]
  /** MiB of resident memory of a process at its highest */
  peak: Record<string, number>
  /** MiB of the largest child process of each */
  children: Record<string, number>
}

/** Does `work` while it pings the product and watches the memory of the processes. */
export async function watch<T>(shop: Shop, names: string[], work: () => Promise<T>): Promise<VitalSigns<T>> {
  const door = new ApiClient(
    `${shop.product.url}/api/erp`,
    { authorization: `Bearer ${shop.erpToken}` },
    new Agent({ keepAlive: true, maxSockets: 4 }),
  )
  const times: number[] = []
  const failures: string[] = []
  const pids = new Map(names.map((name) => [name, shop.product.processes(name)[0]?.pid ?? 0]))
  const start = new Map([...pids].map(([name, pid]) => [name, residentMiB(pid)]))
  const growth: Record<string, number> = Object.fromEntries(names.map((name) => [name, 0]))
  const peak: Record<string, number> = Object.fromEntries(start)
  const children: Record<string, number> = Object.fromEntries(names.map((name) => [name, 0]))
  const state = { over: false }
  const watching = (async () => {
    while (!state.over) {
      const answer = await door
        .get('/ping', { timeoutMs: 10_000 })
        .catch((error: unknown) => void failures.push(String(error)))
      if (answer && answer.status !== 200) failures.push(`${answer.status} ${answer.text.slice(0, 200)}`)
      times.push(answer?.status === 200 ? answer.ms : Infinity)
      for (const [name, pid] of pids) {
        const now = residentMiB(pid)
        growth[name] = Math.max(growth[name] ?? 0, Math.round(now - (start.get(name) ?? 0)))
        peak[name] = Math.max(peak[name] ?? 0, Math.round(now))
        for (const child of childrenOf(pid)) {
          const itsOwn = residentMiB(child)
          // it may have ended between the two looks
          if (itsOwn !== Infinity) children[name] = Math.max(children[name] ?? 0, Math.round(itsOwn))
        }
      }
      await new Promise((done) => setTimeout(done, 20))
    }
  })()
  try {
    const result = await work()
    state.over = true
    await watching
    const sorted = times.toSorted((a, b) => a - b)
    return {
      result,
      p99: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Infinity,
      pings: times.length,
      growth,
      times,
      failures,
      peak,
      children,
    }
  } finally {
    state.over = true
    door.close()
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter((text) => text !== '')
      .map(Number)
  } catch {
    return []
  }
}

/** Fails when the process is another one than it was: Infinity. */
function residentMiB(pid: number): number {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
    return (pages * 4_096) / MIB
  } catch {
    return Infinity
  }
}
