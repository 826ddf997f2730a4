import { readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { Door } from './door.js'
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
}

/** Does `work` while it pings the product and watches the memory of the processes. */
export async function watch<T>(shop: Shop, names: string[], work: () => Promise<T>): Promise<VitalSigns<T>> {
  const door = new Door(`${shop.product.url}/api/erp`, { authorization: `Bearer ${shop.erpToken}` }, new Agent({ keepAlive: true, maxSockets: 4 }))
  const times: number[] = []
  const pids = new Map(names.map((name) => [name, shop.product.processes(name)[0]?.pid ?? 0]))
  const start = new Map([...pids].map(([name, pid]) => [name, residentMiB(pid)]))
  const growth: Record<string, number> = Object.fromEntries(names.map((name) => [name, 0]))
  const state = { over: false }
  const watching = (async () => {
    while (!state.over) {
      const answer = await door.get('/ping', { timeoutMs: 10_000 }).catch(() => undefined)
      times.push(answer?.status === 200 ? answer.ms : Infinity)
      for (const [name, pid] of pids) growth[name] = Math.max(growth[name] ?? 0, Math.round(residentMiB(pid) - (start.get(name) ?? 0)))
      await new Promise((done) => setTimeout(done, 20))
    }
  })()
  try {
    const result = await work()
    state.over = true
    await watching
    const sorted = times.toSorted((a, b) => a - b)
    return { result, p99: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Infinity, pings: times.length, growth }
  } finally {
    state.over = true
    door.close()
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
