import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import type { Figure } from './measure.js'

/** The section before which the table of a new benchmark is added. */
const LAST_SECTION = '## How to read it'
const HEAD = ['| What | Measured | Goal | Reached | Details |', '|---|---|---|---|---|']

/** The figures of one benchmark, and the line above their table. */
export interface Report {
  figures: Figure[]
  machine: string
  /** false when a step failed: rows of the table that were not measured this time stay */
  isComplete: boolean
}

/** @param how what was measured, like `database: ferretdb` */
export function describeRun(how: string): string {
  const scale = process.env.BENCH_SCALE ? [`BENCH_SCALE=${process.env.BENCH_SCALE}`] : []
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}`
  return [machine, `Node ${process.versions.node}`, how, ...scale, new Date().toISOString().slice(0, 10)].join(', ')
}

/**
 * Writes the figures of one benchmark between its marks, which are added to docs/benchmarks.md when they are missing.
 * The text around them does not change.
 */
export function writeFigures(file: string, name: string, { figures, machine, isComplete }: Report): void {
  const found = readFileSync(file, 'utf8')
  const section = `## ${name[0]?.toUpperCase()}${name.slice(1)}\n\n${startMark(name)}\n${endMark(name)}\n\n`
  const text = found.includes(startMark(name)) ? found : found.replace(LAST_SECTION, `${section}${LAST_SECTION}`)
  const rows = figures.map(
    ({ what, value, unit, goal, reached, detail }) =>
      `| ${what} | ${value} ${unit} | ${goal} | ${reached ? 'yes' : 'no'} | ${detail} |`,
  )
  const all = isComplete ? rows : mergeRows(readMarked(text, name) ?? '', rows)
  const how = isComplete ? machine : `${machine}; some rows are of an earlier run`
  writeFileSync(file, replaceMarked(text, name, `${how}\n\n${[...HEAD, ...all].join('\n')}`))
}

/** The rows of a table: new ones in the place of those that begin with the same cell, and the others after them. */
export function mergeRows(table: string, rows: readonly string[]): string[] {
  const fresh = new Map(rows.map((row) => [firstCell(row), row]))
  const before = table.split('\n').filter((line) => line.startsWith('| ') && !HEAD.includes(line))
  const kept = before.map((row) => {
    const replacement = fresh.get(firstCell(row))
    fresh.delete(firstCell(row))
    return replacement ?? row
  })
  return [...kept, ...fresh.values()]
}

/** Replaces the text between the marks of `name` in a page. */
export function replaceMarked(text: string, name: string, content: string): string {
  const [start, end] = [startMark(name), endMark(name)]
  const [before, rest] = text.split(start)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`the page has no place for the figures of ${name}`)
  return `${before}${start}\n${content}\n${end}${after}`
}

export function print(figures: Figure[]): void {
  for (const { what, value, unit, goal, reached, detail } of figures) {
    console.log(`${reached ? 'ok  ' : 'MISS'} ${what}: ${value} ${unit} (goal ${goal})\n     ${detail}`)
  }
}

const startMark = (name: string): string => `<!-- ${name}: written by npm run bench -->`
const endMark = (name: string): string => `<!-- end of ${name} -->`
const firstCell = (row: string): string => row.split('|')[1]?.trim() ?? ''

function readMarked(text: string, name: string): string | undefined {
  return text.split(startMark(name))[1]?.split(endMark(name))[0]
}
