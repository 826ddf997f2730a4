import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Shop } from './shop.js'

/** Measurements of the product during a test. */
export interface VitalSigns<T> {
  result: T
  /** of the pings, in milliseconds */
  p99: number
  pings: number
  /** milliseconds of each `/api/erp/ping`, one every 20 ms; Infinity if it failed */
  times: number[]
  /** status or error of the pings that failed */
  failures: string[]
  /** maximum growth of the resident memory of a process in MiB; Infinity when it ended */
  growth: Record<string, number>
  /** peak resident memory of a process in MiB */
  peak: Record<string, number>
  /** peak memory of the largest child process of each process in MiB */
  children: Record<string, number>
}

/** Runs `work` while a thread pings the product and measures the memory of the named processes. */
export async function watch<T>(shop: Shop, names: string[], work: () => Promise<T>): Promise<VitalSigns<T>> {
  const worker = new Worker(new URL('./vital-signs-worker.mjs', import.meta.url), {
    workerData: {
      url: `${shop.product.url}/api/erp/ping`,
      authorization: `Bearer ${shop.erpToken}`,
      pids: names.map((name) => [name, shop.product.processes(name)[0]?.pid ?? 0]),
    },
  })
  try {
    const result = await work()
    worker.postMessage('stop')
    const [signs] = (await once(worker, 'message')) as [Omit<VitalSigns<T>, 'result' | 'p99' | 'pings'>]
    return { result, ...signs, p99: percentile(signs.times, 0.99), pings: signs.times.length }
  } finally {
    await worker.terminate()
  }
}

export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Infinity
}
