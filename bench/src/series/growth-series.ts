import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningProduct } from '@partsbus/local-stack/running-product'
import { type DiskBytes, type DiskUse, openDiskUse } from '../meters/disk-use.js'
import type { Erp } from '../clients/erp.js'
import { timed } from '../figures/measure.js'
import { processorTimes, watchMemory } from '../meters/processes.js'

/** Work in the background after the last answer: events, deleted outbox entries. */
const REST_MS = 2_000
const SAMPLE_MS = 100
const SERVERS = ['nats', 'ferretdb', 'postgres', 'mongod', 'mongodb']
const PAUSE_MS = 1_000
const TRIES = 60

/** What adding items to a growing collection cost. */
export interface GrowthCost {
  /** items after the step */
  total: number
  /** items of the step */
  added: number
  ms: number
  /** processor time in ms */
  services: number
  servers: number
  /** bytes of all collections and of the bus that the step added */
  bytes: number
  /** bytes of all collections and of the bus after it */
  bytesInAll: number
  /** peak memory of the step in MB by service */
  memory: Record<string, number>
}

/** Measures steps of a growing product. */
export class GrowthMeter {
  private constructor(
    private readonly product: RunningProduct,
    private readonly disk: DiskUse,
    private before: DiskBytes,
  ) {}

  static async open(product: RunningProduct): Promise<GrowthMeter> {
    const disk = await openDiskUse(product.databaseUrl() ?? '', join(product.stateDir, 'nats'))
    return new GrowthMeter(product, disk, await disk.read())
  }

  /** @param total items that are stored after the step */
  async measure(total: number, added: number, add: () => Promise<unknown>): Promise<GrowthCost> {
    const before = processorTimes(this.product)
    const watched = this.product.processes().flatMap(({ name, pid, management_port }) =>
      // only services have such a port
      management_port === undefined ? [] : [{ name, watch: watchMemory(pid, SAMPLE_MS) }],
    )
    const ms = await timed(add)
    await sleep(REST_MS)
    const memory = Object.fromEntries(watched.map(({ name, watch }) => [name, Math.round(watch.stop().together)]))
    const used = [...processorTimes(this.product)].map(
      ([name, time]) => [name, time - (before.get(name) ?? 0)] as const,
    )
    const sum = (isWanted: (name: string) => boolean): number =>
      used.reduce((all, [name, time]) => (isWanted(name) ? all + time : all), 0)
    const after = await this.disk.read()
    const bytes = allBytes(after.minus(this.before))
    this.before = after
    return {
      total,
      added,
      ms,
      services: sum((name) => !SERVERS.includes(name)),
      servers: sum((name) => SERVERS.includes(name)),
      bytes,
      bytesInAll: allBytes(after),
      memory,
    }
  }

  close(): Promise<void> {
    return this.disk.close()
  }
}

/** Sends a batch, and again while the gateway answers 503, which a database may cause that cleans up. */
export async function sendPatiently(erp: Erp, path: string, body: string): Promise<void> {
  for (let turn = 1; ; turn += 1) {
    const answer = await erp.post(path, body)
    if (answer.status === 200) return
    if (answer.status !== 503 || turn === TRIES)
      throw new Error(`${path} answered ${answer.status}: ${answer.body.slice(0, 300)}`)
    console.log(`  ${path} answered 503: ${answer.body.slice(0, 100)}`)
    await sleep(PAUSE_MS)
  }
}

function allBytes({ data, indexes, bus }: DiskBytes): number {
  return [...data.values(), ...indexes.values()].reduce((all, bytes) => all + bytes, bus)
}
