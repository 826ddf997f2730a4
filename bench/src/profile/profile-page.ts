import type { Table } from '../figures/results.js'
import type { Floor } from './profile-floors.js'
import { type Part, parts } from './profile-parts.js'

export interface ScenarioProfile {
  what: string
  /** wall time of one unit */
  ms: number
  /** processor time of one unit by process, in ms */
  times: Map<string, number>
  /** the same by part, for each service */
  parts: Map<string, Map<Part, number>>
  /** the same work by the driver alone */
  byHand?: { ms: number; times: Map<string, number> }
}

/** Processes that use less than this share of a unit's time have no column of parts. */
const MIN_SHARE = 0.03

const columns: ReadonlyArray<readonly [string, readonly string[]]> = [
  ['client', ['client']],
  ['gateway', ['gateway']],
  ['services', ['administration', 'catalog', 'stock', 'supplier-search', 'pricing-import']],
  ['NATS', ['nats']],
  ['FerretDB', ['ferretdb']],
  ['PostgreSQL', ['postgres']],
  ['mongod', ['mongodb']],
]

export function profileTables(floors: readonly Floor[], profiles: readonly ScenarioProfile[]): Table[] {
  const [first, ...others] = profiles.map(partTable)
  return [
    { head: 'By process', ...processTable(profiles) },
    ...(first ? [{ head: 'By part', ...first }, ...others] : []),
    {
      head: 'Floors',
      columns: ['One unit', 'Processor time'],
      rows: floors.map(({ what, ms }) => [what, show(ms)]),
    },
  ]
}

function processTable(profiles: readonly ScenarioProfile[]): Table {
  const used = columns.filter(([, names]) => profiles.some(({ times }) => names.some((name) => times.has(name))))
  const row = (what: string, times: Map<string, number>, ms: number): string[] => {
    const cells = used.map(([, names]) => sum(names.map((name) => times.get(name) ?? 0)))
    return [what, ...[...cells, sum(cells), ms].map(show)]
  }
  const rows = profiles.flatMap(({ what, times, ms, byHand }) => [
    row(what, times, ms),
    ...(byHand ? [row(`${what}, by the driver alone`, byHand.times, byHand.ms)] : []),
  ])
  return { columns: ['One unit', ...used.map(([name]) => name), 'together', 'wall'], rows }
}

function partTable({ what, times, parts: byProcess }: ScenarioProfile): Table {
  const all = sum([...byProcess.keys()].map((name) => times.get(name) ?? 0))
  const shown = [...byProcess].filter(([name]) => (times.get(name) ?? 0) >= all * MIN_SHARE)
  const rows = parts
    .filter((part) => shown.some(([, one]) => (one.get(part) ?? 0) >= all * 0.01))
    .map((part) => [part, ...shown.map(([, one]) => show(one.get(part) ?? 0))])
  return { columns: [`**${what}**`, ...shown.map(([name]) => name)], rows }
}

const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0)

const show = (ms: number): string => (ms >= 10 ? ms.toFixed(0) : ms.toFixed(ms >= 1 ? 1 : 2))
