import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import type { Figure } from './measure.js'

/** The section before which the table of a new benchmark is added. */
const LAST_SECTION = '## How to read it'

/**
 * Writes the figures of one benchmark between its marks in docs/benchmarks.md, which are added when they are missing.
 * The text around them does not change.
 */
export function writeFigures(file: string, name: string, figures: Figure[], how: string): void {
  const [start, end] = [`<!-- ${name}: written by npm run bench -->`, `<!-- end of ${name} -->`]
  const section = `## ${name[0]?.toUpperCase()}${name.slice(1)}\n\n${start}\n${end}\n\n`
  const found = readFileSync(file, 'utf8')
  const text = found.includes(start) ? found : found.replace(LAST_SECTION, `${section}${LAST_SECTION}`)
  const [before, rest] = text.split(start)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`${file} has no place for the figures of ${name}`)
  const rows = figures.map(
    ({ what, value, unit, goal, reached, detail }) =>
      `| ${what} | ${value} ${unit} | ${goal} | ${reached ? 'yes' : 'no'} | ${detail} |`,
  )
  const table = ['| What | Measured | Goal | Reached | Details |', '|---|---|---|---|---|', ...rows].join('\n')
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}, ${how}`
  writeFileSync(file, `${before}${start}\n${machine}\n\n${table}\n${end}${after}`)
}

export function print(figures: Figure[]): void {
  for (const { what, value, unit, goal, reached, detail } of figures) {
    console.log(`${reached ? 'ok  ' : 'MISS'} ${what}: ${value} ${unit} (goal ${goal})\n     ${detail}`)
  }
}
