import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
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

const START = '<!-- written by npm run bench -- profile -->'
const END = '<!-- end of the profile -->'
/** Processes that use less than this share of a unit's time have no column of parts. */
const MIN_SHARE = 0.03

const columns: ReadonlyArray<readonly [string, readonly string[]]> = [
  ['client', ['client']],
  ['gateway', ['gateway']],
  ['services', ['catalog', 'stock', 'supplier-search', 'pricing-import']],
  ['NATS', ['nats']],
  ['FerretDB', ['ferretdb']],
  ['PostgreSQL', ['postgres']],
  ['mongod', ['mongodb']],
]

/** Replaces what is between the marks; the text around it stays. */
export function writeProfilePage(file: string, floors: readonly Floor[], profiles: readonly ScenarioProfile[]): void {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : `${START}\n${END}\n`
  const [before, rest] = text.split(START)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) throw new Error(`${file} has no marks for the profile`)
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`
  const sections = [
    machine,
    `### By process\n\n${processTable(profiles)}`,
    `### By part\n\n${profiles.map(partTable).join('\n\n')}`,
    `### Floors\n\n${floorTable(floors)}`,
  ]
  writeFileSync(file, `${before}${START}\n${sections.join('\n\n')}\n${END}${after}`)
}

function processTable(profiles: readonly ScenarioProfile[]): string {
  const used = columns.filter(([, names]) => profiles.some(({ times }) => names.some((name) => times.has(name))))
  const row = (what: string, times: Map<string, number>, ms: number): string => {
    const cells = used.map(([, names]) => sum(names.map((name) => times.get(name) ?? 0)))
    return `| ${[what, ...[...cells, sum(cells), ms].map(show)].join(' | ')} |`
  }
  const rows = profiles.flatMap(({ what, times, ms, byHand }) => [
    row(what, times, ms),
    ...(byHand ? [row(`${what}, by the driver alone`, byHand.times, byHand.ms)] : []),
  ])
  const heads = ['One unit', ...used.map(([name]) => name), 'together', 'wall']
  return table(heads, rows)
}

function partTable({ what, times, parts: byProcess }: ScenarioProfile): string {
  const all = sum([...byProcess.keys()].map((name) => times.get(name) ?? 0))
  const shown = [...byProcess].filter(([name]) => (times.get(name) ?? 0) >= all * MIN_SHARE)
  const rows = parts
    .filter((part) => shown.some(([, one]) => (one.get(part) ?? 0) >= all * 0.01))
    .map((part) => `| ${[part, ...shown.map(([, one]) => show(one.get(part) ?? 0))].join(' | ')} |`)
  return table([`**${what}**`, ...shown.map(([name]) => name)], rows)
}

function floorTable(floors: readonly Floor[]): string {
  return table(
    ['One unit', 'Processor time'],
    floors.map(({ what, ms }) => `| ${what} | ${show(ms)} |`),
  )
}

function table(heads: readonly string[], rows: readonly string[]): string {
  return [`| ${heads.join(' | ')} |`, `|${heads.map(() => '---|').join('')}`, ...rows].join('\n')
}

const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0)

const show = (ms: number): string => (ms >= 10 ? ms.toFixed(0) : ms.toFixed(ms >= 1 ? 1 : 2))
