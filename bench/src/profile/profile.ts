import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type RunningProduct, startProduct } from '@partsbus/local-stack/running-product'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import { connectErp } from '../clients/erp.js'
import { timedInFlight } from '../figures/measure.js'
import { machine, writeResults } from '../figures/results.js'
import { measureIdle, measureProcessor, type ProcessorUse } from '../meters/processes.js'
import { measureFloors, ownTime } from './profile-floors.js'
import { profileTables, type ScenarioProfile } from './profile-page.js'
import { type CpuProfile, type Part, timeByPart } from './profile-parts.js'
import { makeScenarios, type Scenario } from './profile-scenarios.js'
import { openYardstick } from '../yardsticks/yardstick.js'

const SERVICES = ['gateway', 'administration', 'catalog', 'stock', 'supplier-search', 'pricing-import']
const IDLE_MS = 3_000
/** After the start and the floors, until the product is idle. */
const CALM_MS = 5_000
/** Work in the background of the pass before: events and deleted outbox entries. */
const REST_MS = 700

/** `npm run bench -- profile`: writes docs/measurements/profile.md. */
export async function profile(root: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-profile-'))
  const agent = pathToFileURL(join(import.meta.dirname, 'profile-agent.js')).href
  const NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import ${agent}`.trim()
  const env = { LOG_LEVEL: 'warn', NODE_OPTIONS, BENCH_PROFILE_FOLDER: folder }
  const product = await startProduct({ root, env })
  try {
    const erp = await connectErp(product)
    const yardstick = await openYardstick(product.databaseUrl() ?? '')
    const scenarios = await makeScenarios(product, erp, yardstick)
    const floors = await measureFloors(root, product)
    await sleep(CALM_MS)
    const idle = await measureIdle(product, IDLE_MS)
    const profiles: ScenarioProfile[] = []
    for (const scenario of scenarios.list) {
      console.log(`${scenario.what} …`)
      profiles.push(await profileScenario(product, folder, scenario, idle))
    }
    writeResults(root, 'profile', { page: 'profile.md', how: machine(), tables: profileTables(floors, profiles) })
    scenarios.close()
    await yardstick.close()
    erp.close()
  } finally {
    await product.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function profileScenario(
  product: RunningProduct,
  folder: string,
  scenario: Scenario,
  idle: Map<string, number>,
): Promise<ScenarioProfile> {
  const { count, what, byHand } = scenario
  const turns = (pass: number): number[] => Array.from({ length: count }, (_, at) => pass * count + at)
  const run = (pass: number) => timedInFlight(turns(pass), scenario.width, (turn) => scenario.run(turn))
  await run(0)
  await sleep(REST_MS)
  const measured = await processorTime(product, () => run(1), idle, count)
  await sleep(REST_MS)
  const sampled = await sampleProcesses(product, folder, what, () => run(2))
  const shares = new Map(
    [...sampled].map(([name, parts]) => [name, toShares(parts, measured.times.get(name) ?? 0)] as const),
  )
  if (!byHand) return { what, ms: measured.ms, times: measured.times, parts: shares }
  for (const turn of turns(0)) await byHand(turn)
  await sleep(REST_MS)
  const runByHand = () => timedInFlight(turns(1), scenario.width, (turn) => byHand(turn))
  const direct = await processorTime(product, runByHand, idle, count)
  // later scenarios need what this one has written
  for (const turn of turns(2)) await byHand(turn)
  return { what, ms: measured.ms, times: measured.times, parts: shares, byHand: direct }
}

/** Milliseconds of processor time a unit, by process, without what the idle product uses. */
async function processorTime(
  product: RunningProduct,
  work: () => Promise<number>,
  idle: Map<string, number>,
  count: number,
): Promise<ProcessorUse> {
  let client = 0
  const { ms, times } = await measureProcessor(product, idle, REST_MS, async () => {
    const own = ownTime()
    const elapsed = await work()
    client = ownTime() - own
    return elapsed
  })
  const each = new Map([...times].map(([name, time]) => [name, time / count]))
  return { ms: ms / count, times: each.set('client', client / count) }
}

/** Profiles the Node processes during `work`. @returns their time by part, by the name of the process */
async function sampleProcesses(
  product: RunningProduct,
  folder: string,
  what: string,
  work: () => Promise<unknown>,
): Promise<Map<string, Map<Part, number>>> {
  const services = product.processes().filter(({ name }) => SERVICES.includes(name))
  const path = (pid: number, kind: string): string => join(folder, `${pid}.${kind}`)
  const signal = async (isDone: (pid: number) => boolean): Promise<void> => {
    for (const { pid } of services) process.kill(pid, 'SIGUSR2')
    const isAnswered = await waitUntil(() => services.every(({ pid }) => isDone(pid)), { withinMs: 20_000 })
    if (!isAnswered) throw new Error('The profiler of a service does not answer')
  }
  await signal((pid) => existsSync(path(pid, 'running')))
  await work()
  await signal((pid) => existsSync(path(pid, 'cpuprofile')) && !existsSync(path(pid, 'running')))
  const parts = new Map<string, Map<Part, number>>()
  for (const { name, pid } of services) {
    const file = path(pid, 'cpuprofile')
    parts.set(name, timeByPart(JSON.parse(await readFile(file, 'utf8')) as CpuProfile))
    if (process.env.BENCH_PROFILES) await copyFile(file, join(process.env.BENCH_PROFILES, `${what}-${name}.cpuprofile`))
    await rm(file)
  }
  return parts
}

/** Divides a processor time as the samples are divided. */
function toShares(sampled: Map<Part, number>, ms: number): Map<Part, number> {
  const sum = [...sampled.values()].reduce((total, one) => total + one, 0)
  return new Map([...sampled].map(([part, one]) => [part, (one / sum) * ms]))
}
