import { cpus } from 'node:os'
import { join } from 'node:path'
import { cacheFolder } from '@partsbus/local-stack/build-cache'
import { codeKey, currentCommit } from './code-key.js'
import { GroupSteps } from './group-steps.js'
import { groups } from './groups.js'
import type { Figure } from '../figures/measure.js'
import { describeRun, mergeFigures, print, readResults, writeResults } from '../figures/results.js'

/** The groups that run only where they are named, or at a given scale: they take a quarter of an hour and more. */
const LONG = ['growth']
const FRESH = '--fresh'
const WHOLE = 'the whole group'

/**
 * Measures groups one after another; a failed one does not end the run. With `BENCH_SCALE`, what is measured is stored
 * by code, scale and machine, and a second run goes on with what is missing.
 * @param given names of groups, all when there are none; with `--fresh` they are measured again
 */
export async function runGroups(root: string, given: readonly string[]): Promise<void> {
  const scale = process.env.BENCH_SCALE || undefined
  const named = given.filter((one) => one !== FRESH)
  const all = Object.keys(groups)
  const unknown = named.find((name) => !all.includes(name))
  if (unknown !== undefined) throw new Error(`There is no benchmark ${unknown}; there are ${all.join(', ')}`)
  const wanted =
    named.length > 0 ? all.filter((name) => named.includes(name)) : all.filter((name) => scale || !LONG.includes(name))
  const failures: string[] = []
  for (const [at, name] of wanted.entries()) {
    console.log(`${new Date().toISOString().slice(11, 19)} ${name} (${at + 1} of ${wanted.length}) …`)
    const steps = openSteps(root, name, scale)
    if (given.includes(FRESH)) steps.forget()
    // growth writes tables of its own, also those that are stored
    const stored = name === 'growth' ? undefined : steps.read<GroupReport>(WHOLE)
    const report = stored ?? (await runGroup(root, name, steps))
    failures.push(...steps.failures)
    if (!report || report.figures.length === 0) continue
    print(report.figures)
    writeReport(root, name, report)
  }
  for (const failure of failures) console.error(`failed: ${failure}`)
  process.exitCode = failures.length > 0 ? 1 : 0
}

/** The figures of one group. */
interface GroupReport {
  figures: Figure[]
  machine: string
  /** false when a step failed: what was not measured this time stays as it was */
  isComplete: boolean
}

function writeReport(root: string, name: string, { figures, machine, isComplete }: GroupReport): void {
  writeResults(root, name, {
    page: name === 'growth' ? 'growth.md' : 'benchmarks.md',
    how: isComplete ? machine : `${machine}; some rows are of an earlier run`,
    figures: isComplete ? figures : mergeFigures(readResults(root, name)?.figures ?? [], figures),
  })
}

async function runGroup(root: string, name: string, steps: GroupSteps): Promise<GroupReport | undefined> {
  try {
    const { figures, how } = await groups[name]!(root, steps)
    const report = { figures, machine: describeRun(how), isComplete: steps.failures.length === 0 }
    if (report.isComplete) steps.write(WHOLE, report)
    return report
  } catch (error) {
    steps.fail(WHOLE, error)
    return undefined
  }
}

function openSteps(root: string, group: string, scale: string | undefined): GroupSteps {
  if (scale === undefined) return new GroupSteps(group)
  const machine = `${cpus().length}x${cpus()[0]?.model.trim()}-node${process.versions.node}`.replaceAll(
    /[^\w.-]+/g,
    '-',
  )
  const servers = process.env.MONGODB_URL ? 'external' : process.env.LOCAL_STACK || 'local'
  const name = `${group}-${scale}-${servers}-${machine}-${codeKey(root, group)}.json`
  return new GroupSteps(group, join(cacheFolder(), 'bench', name), currentCommit(root))
}
