import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

export type VariantName =
  | 'price-file'
  | 'decode-utf-8'
  | 'decode-windows-1251'
  | 'csv-parse'
  | 'price-file-xlsx'
  | 'exceljs'

export interface VariantResult {
  rows: number
  ms: number
  /** peak memory of the process */
  rssMb: number
}

/** Reads a file with one reader, in a process of its own. @throws when the number of rows is wrong */
export async function runVariant(name: VariantName, path: string, rows: number): Promise<VariantResult> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(import.meta.dirname, 'reader-variant.js'),
    name,
    path,
  ])
  const result = JSON.parse(stdout) as VariantResult
  if (result.rows !== rows) throw new Error(`${name} read ${result.rows} rows of ${path}, not ${rows}`)
  return result
}

export interface Pair {
  mine: VariantResult
  theirs: VariantResult
}

/** Runs both readers in alternating order. */
export async function runPairs(
  rounds: number,
  mine: VariantName,
  theirs: VariantName,
  path: string,
  rows: number,
): Promise<Pair[]> {
  const pairs: Pair[] = []
  for (let round = 0; round < rounds; round += 1) {
    const first = await runVariant(round % 2 === 0 ? mine : theirs, path, rows)
    const second = await runVariant(round % 2 === 0 ? theirs : mine, path, rows)
    pairs.push(round % 2 === 0 ? { mine: first, theirs: second } : { mine: second, theirs: first })
  }
  return pairs
}
