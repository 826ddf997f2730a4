import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { benchBomb } from './bomb.js'
import { type Figure, median, toFigure } from '../figures/measure.js'
import { writeCsv } from '../clients/price-rows.js'
import { writeWorkbook } from '../clients/price-workbook.js'
import { type Pair, runPairs, type VariantName } from '../yardsticks/run-variant.js'
import { ofFull, scaled, toScale } from '../runs/scale.js'

const CSV_ROWS = 1_450_000
const XLSX_ROWS = [100_000, 500_000]
const ROUNDS = 3

/** What limits the time of `--check`; the rest is run at full size, since small files measure the warm-up. */
export const READERS_OF_CHECK = { workbooks: [100_000], archiveScale: 0.1 }

/** The readers of packages/price-file against other libraries. Needs neither database nor bus. */
export async function benchReaders(
  scale = toScale(1),
  { workbooks, archiveScale } = { workbooks: XLSX_ROWS, archiveScale: scale },
): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-readers-'))
  try {
    const rows = scaled(CSV_ROWS, scale, 1_000)
    const utf8 = join(folder, 'utf-8.csv')
    const windows = join(folder, 'windows-1251.csv')
    await writeCsv(utf8, rows)
    await writeCsv(windows, rows, 'windows-1251')
    const figures = [
      await csv('CSV in utf-8 against decode + split', utf8, rows, 'decode-utf-8', 0.85),
      await csv('CSV in windows-1251 against decode + split', windows, rows, 'decode-windows-1251', 0.45),
      await csv('CSV in utf-8 against csv-parse', utf8, rows, 'csv-parse', 5),
    ]
    for (const full of workbooks) figures.push(...(await xlsx(folder, full, scaled(full, scale, 500))))
    return [...figures, ...(await benchBomb(folder, archiveScale))]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function csv(what: string, path: string, rows: number, against: VariantName, goal: number): Promise<Figure> {
  // the header is a row of the file too
  const pairs = await runPairs(ROUNDS, 'price-file', against, path, rows + 1)
  const value = median(pairs.map(({ mine, theirs }) => theirs.ms / mine.ms))
  return toFigure({
    what: `reading ${what}`,
    value,
    unit: '× its speed',
    detail: `${speeds(rows, pairs)}; peak RSS ${peaks(pairs).join(' and ')} MB${ofFull(rows, CSV_ROWS)}`,
    least: goal,
  })
}

async function xlsx(folder: string, full: number, rows: number): Promise<Figure[]> {
  const path = join(folder, `${full}.xlsx`)
  await writeWorkbook(path, rows)
  const pairs = await runPairs(ROUNDS, 'price-file-xlsx', 'exceljs', path, rows + 1)
  const faster = median(pairs.map(({ mine, theirs }) => theirs.ms / mine.ms))
  const larger = median(pairs.map(({ mine, theirs }) => mine.rssMb / theirs.rssMb))
  const name = `XLSX of ${full.toLocaleString('en')} rows`
  return [
    toFigure({
      what: `reading ${name} against exceljs' streaming reader`,
      value: faster,
      unit: '× its speed',
      detail: `${speeds(rows, pairs)}${ofFull(rows, full)}`,
      least: 5,
    }),
    toFigure({
      what: `peak RSS of reading ${name} against exceljs' streaming reader`,
      value: larger,
      unit: '×',
      detail: `${peaks(pairs).join(' MB, against ')} MB${ofFull(rows, full)}`,
      most: 1,
    }),
  ]
}

function speeds(rows: number, pairs: Pair[]): string {
  const speed = (ms: number[]): string => `${Math.round(rows / median(ms))}k rows a second`
  return `${speed(pairs.map(({ mine }) => mine.ms))}, against ${speed(pairs.map(({ theirs }) => theirs.ms))}`
}

/** Peak RSS of both sides in MB. */
const peaks = (pairs: Pair[]): number[] =>
  [pairs.map(({ mine }) => mine.rssMb), pairs.map(({ theirs }) => theirs.rssMb)].map((mb) => Math.round(median(mb)))
