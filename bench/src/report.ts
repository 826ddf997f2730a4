import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import type { Figure } from './measure.js'

const START = '<!-- figures: written by npm run bench -->'
const END = '<!-- end of figures -->'

/** Writes the figures between the marks of docs/benchmarks.md, keeping the words around them. */
export function writeReport(file: string, figures: Figure[], how: string): void {
  const text = readFileSync(file, 'utf8')
  const [before, rest] = text.split(START)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) throw new Error(`${file} has no place for the figures`)
  const rows = figures.map(({ what, value, unit, goal, reached, detail }) => `| ${what} | ${value} ${unit} | ${goal} | ${reached ? 'yes' : 'no'} | ${detail} |`)
  const table = ['| What | Measured | Goal | Reached | How it came about |', '|---|---|---|---|---|', ...rows].join('\n')
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}, ${how}`
  writeFileSync(file, `${before}${START}\n${machine}\n\n${table}\n${END}${after}`)
}

export function print(figures: Figure[]): void {
  for (const { what, value, unit, goal, reached, detail } of figures) {
    console.log(`${reached ? 'ok  ' : 'MISS'} ${what}: ${value} ${unit} (goal ${goal})\n     ${detail}`)
  }
}
