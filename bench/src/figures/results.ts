import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import type { Figure } from './measure.js'

/** A table, with its cells as readers see them. */
export interface Table {
  head?: string
  columns: readonly string[]
  rows: ReadonlyArray<readonly string[]>
}

/** What a benchmark found: `bench/results/NAME.json`, from which a part of a page is written. */
export interface Results {
  /** in docs/measurements */
  page: string
  /** the machine, and what was measured */
  how: string
  notes?: readonly string[]
  figures?: readonly Figure[]
  tables?: readonly Table[]
}

/** The section of docs/measurements/benchmarks.md before which the part of a new benchmark is added. */
const LAST_SECTION = '## How to read it'
const FOLDER = join('bench', 'results')

export const machine = (): string => `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`

/** @param how what was measured, like `database: ferretdb` */
export function describeRun(how: string): string {
  const scale = process.env.BENCH_SCALE ? [`BENCH_SCALE=${process.env.BENCH_SCALE}`] : []
  return [machine(), how, ...scale, new Date().toISOString().slice(0, 10)].join(', ')
}

/** Stores what a benchmark found, and writes it between the marks of its page. The text around them does not change. */
export function writeResults(root: string, name: string, results: Results): void {
  mkdirSync(join(root, FOLDER), { recursive: true })
  writeFileSync(fileOf(root, name), `${JSON.stringify(results, undefined, 1)}\n`)
  const page = join(root, 'docs', 'measurements', results.page)
  writeFileSync(page, replaceMarked(withMarks(readFileSync(page, 'utf8'), name), name, render(results)))
}

/** @returns undefined where nothing was measured yet */
export function readResults(root: string, name: string): Results | undefined {
  return listResults(root).includes(name)
    ? (JSON.parse(readFileSync(fileOf(root, name), 'utf8')) as Results)
    : undefined
}

/** The names of all that was measured. */
export const listResults = (root: string): string[] =>
  readdirSync(join(root, FOLDER)).map((file) => file.replace('.json', '').replaceAll('-', ' '))

const fileOf = (root: string, name: string): string => join(root, FOLDER, `${name.replaceAll(' ', '-')}.json`)

/** The Markdown of a part of a page. */
export function render({ how, notes = [], figures, tables = [] }: Results): string {
  return [
    how,
    ...(notes.length > 0 ? [notes.map((note) => `- ${note}`).join('\n')] : []),
    ...(figures ? [renderTable(toTable(figures))] : []),
    ...tables.map(renderTable),
  ].join('\n\n')
}

const toTable = (figures: readonly Figure[]): Table => ({
  columns: ['What', 'Measured', 'Goal', 'Reached', 'Details'],
  rows: figures.map(({ what, value, unit, goal, reached, detail }) => [
    what,
    `${value} ${unit}`,
    goal,
    reached ? 'yes' : 'no',
    detail,
  ]),
})

function renderTable({ head, columns, rows }: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const table = [line(columns), `|${columns.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
  return head === undefined ? table : `### ${head}\n\n${table}`
}

/** New figures in the place of those of the same name, and the others of an earlier run. */
export function mergeFigures(before: readonly Figure[], figures: readonly Figure[]): Figure[] {
  const fresh = new Map(figures.map((figure) => [figure.what, figure]))
  const kept = before.map((figure) => fresh.get(figure.what) ?? figure)
  return [...kept, ...figures.filter(({ what }) => !before.some((figure) => figure.what === what))]
}

/** Replaces the text between the marks of `name` in a page. */
export function replaceMarked(text: string, name: string, content: string): string {
  const [start, end] = [startMark(name), endMark(name)]
  const [before, rest] = text.split(start)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`the page has no place for the figures of ${name}`)
  return `${before}${start}\n${content}\n${end}${after}`
}

function withMarks(text: string, name: string): string {
  if (text.includes(startMark(name))) return text
  const section = `## ${name[0]?.toUpperCase()}${name.slice(1)}\n\n${startMark(name)}\n${endMark(name)}\n\n`
  return text.replace(LAST_SECTION, `${section}${LAST_SECTION}`)
}

const startMark = (name: string): string => `<!-- ${name}: written by npm run bench -->`
const endMark = (name: string): string => `<!-- end of ${name} -->`

export function print(figures: readonly Figure[]): void {
  for (const { what, value, unit, goal, reached, detail } of figures) {
    console.log(`${reached ? 'ok  ' : 'MISS'} ${what}: ${value} ${unit} (goal ${goal})\n     ${detail}`)
  }
}
