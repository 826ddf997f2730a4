import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RunningProduct, startProduct } from '@partsbus/local-stack/running-product'
import { type Growth, type RequestCost, capacityTables } from './capacity-page.js'
import { type GrowthStep, makeGrowthSteps } from './capacity-steps.js'
import { type DiskUse, openDiskUse } from '../meters/disk-use.js'
import { connectErp } from '../clients/erp.js'
import { timed, timedInFlight } from '../figures/measure.js'
import { machine, writeResults } from '../figures/results.js'
import { connectPartner } from '../clients/partner.js'
import { makeScenarios, type Scenario } from '../profile/profile-scenarios.js'
import { measureIdle, measureProcessor, proportionalMb } from '../meters/processes.js'
import { openYardstick } from '../yardsticks/yardstick.js'

const IDLE_MS = 5_000
/** Work in the background after an answer: events and deleted outbox entries. */
const REST_MS = 1_500
const SAMPLE_MS = 250

/** `npm run bench -- capacity`: writes docs/measurements/capacity.md. */
export async function measureCapacity(root: string): Promise<void> {
  const product = await startProduct({ root, env: { LOG_LEVEL: 'warn' } })
  try {
    const erp = await connectErp(product)
    const partner = await connectPartner(product)
    const disk = await openDiskUse(product.databaseUrl() ?? '', join(product.stateDir, 'nats'))
    await sleep(IDLE_MS)
    const idleMemory = memoryByProcess(product)
    const idle = await measureIdle(product, IDLE_MS)
    const memory = watchMemory(product)
    const growth: Growth[] = []
    const steps = await makeGrowthSteps(erp, partner)
    for (const step of steps.list) {
      console.log(`${step.what} …`)
      growth.push(...(await measureGrowth(product, disk, step, idle)))
    }
    await steps.close()
    const yardstick = await openYardstick(product.databaseUrl() ?? '')
    const scenarios = await makeScenarios(product, erp, yardstick)
    const costs: RequestCost[] = []
    for (const scenario of scenarios.list) {
      console.log(`${scenario.what} …`)
      costs.push(await measureCost(product, scenario, idle))
    }
    scenarios.close()
    await yardstick.close()
    const tables = capacityTables({ growth, costs, idle, idleMemory, peakMemory: memory.stop() })
    writeResults(root, 'capacity', { page: 'capacity.md', how: machine(), tables })
    await disk.close()
    partner.close()
    erp.close()
  } finally {
    await product.stop()
  }
}

async function measureGrowth(
  product: RunningProduct,
  disk: DiskUse,
  { what, counts, add }: GrowthStep,
  idle: Map<string, number>,
): Promise<Growth[]> {
  const growth: Growth[] = []
  let total = 0
  for (const count of counts) {
    const before = await disk.read()
    const used = await measureProcessor(product, idle, REST_MS, () => timed(() => add(total, count)))
    const after = await disk.read()
    total += count
    growth.push({ what, count, total, ms: used.ms, processor: used.times, disk: after.minus(before) })
  }
  return growth
}

async function measureCost(
  product: RunningProduct,
  { what, count, width, run }: Scenario,
  idle: Map<string, number>,
): Promise<RequestCost> {
  const turns = (pass: number): number[] => Array.from({ length: count }, (_, at) => pass * count + at)
  await timedInFlight(turns(0), width, run)
  await sleep(REST_MS)
  const { times } = await measureProcessor(product, idle, REST_MS, () => timedInFlight(turns(1), width, run))
  // later scenarios read what the third pass of the profile writes
  for (const turn of turns(2)) await run(turn)
  return { what, processor: new Map([...times].map(([name, ms]) => [name, ms / count])) }
}

function memoryByProcess(product: RunningProduct): Map<string, number> {
  return new Map(product.processes().map(({ name, pid }) => [name, proportionalMb(pid)]))
}

/** Samples memory. `stop` returns the peak of each process in MB. */
function watchMemory(product: RunningProduct): { stop(): Map<string, number> } {
  const peaks = new Map<string, number>()
  const timer = setInterval(() => {
    for (const [name, mb] of memoryByProcess(product)) peaks.set(name, Math.max(peaks.get(name) ?? 0, mb))
  }, SAMPLE_MS)
  return {
    stop() {
      clearInterval(timer)
      return peaks
    },
  }
}
