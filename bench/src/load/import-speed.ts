import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Figure, median, round, timed, toFigure } from '../figures/measure.js'
import type { OffersByHand } from '../yardsticks/offers-by-hand.js'
import type { FileToSend, Partner } from '../clients/partner.js'
import { csvBytes, writeCsv } from '../clients/price-rows.js'
import { ofFull, scaled } from '../runs/scale.js'
import { writeZip } from '@partsbus/test-kit/zip-file'

const ROWS = 1_000_000
const WARM_ROWS = 20_000
const ROUNDS = 3

/** Milliseconds of each round, for both sides. */
type Times = Record<'plain' | 'zipped' | 'byHand' | 'byHandTwo', number[]>

/**
 * Complete imports, from the first byte of the upload to `completed`. Each list is new, so no old version is removed.
 */
export async function benchImportSpeed(
  partner: Partner,
  byHand: OffersByHand,
  storageId: number,
  folder: string,
  scale: number,
): Promise<Figure[]> {
  const rows = scaled(ROWS, scale, 1_000)
  const list = await bothFiles(folder, 'list', rows)
  const warm = await bothFiles(folder, 'warm', WARM_ROWS)
  const times: Times = { plain: [], zipped: [], byHand: [], byHandTwo: [] }
  let version = 0
  const runRound = async (files: Files, count: number, isTurned: boolean): Promise<void> => {
    const sides: Array<[keyof Times, () => Promise<number>]> = [
      ['plain', () => importWhole(partner, storageId, files.plain, count)],
      ['byHand', () => byHand.insert((version += 1), count, 1)],
      ['zipped', () => importWhole(partner, storageId, files.zipped, count)],
      ['byHandTwo', () => byHand.insert((version += 1), count, 2)],
    ]
    for (const [side, run] of isTurned ? sides.toReversed() : sides) times[side].push(await run())
  }
  await runRound(warm, WARM_ROWS, false)
  for (const side of Object.values(times)) side.length = 0
  for (let turn = 0; turn < ROUNDS; turn += 1) await runRound(list, rows, turn % 2 === 1)
  const figure = (what: string, mine: number[], theirs: number[], other: string): Figure =>
    compareSpeed({ what, rows, full: ROWS, mine, theirs, other, goal: 0.9 })
  return [
    figure(
      'whole import of 1,000,000 CSV rows, against insertMany of 5,000 by the driver',
      times.plain,
      times.byHand,
      'by hand',
    ),
    figure('the same, against two insertMany at once', times.plain, times.byHandTwo, 'by hand'),
    figure('import of a CSV in a ZIP, against the plain CSV', times.zipped, times.plain, 'plain'),
  ]
}

export interface SpeedComparison {
  what: string
  rows: number
  /** rows at full size */
  full: number
  /** milliseconds of each round */
  mine: readonly number[]
  theirs: readonly number[]
  /** the name of the other side */
  other: string
  goal: number
}

/** The median of the ratios of each round. */
export function compareSpeed({ what, rows, full, mine, theirs, other, goal }: SpeedComparison): Figure {
  const ratios = mine.map((ms, at) => (theirs[at] ?? NaN) / ms)
  const value = median(ratios)
  const speed = (ms: readonly number[]): number => Math.round((rows / median([...ms])) * 1_000)
  return toFigure({
    what,
    value,
    unit: '× its speed',
    detail: [
      `${speed(mine)} rows a second, ${other} ${speed(theirs)}`,
      `ratios ${ratios.map((one) => round(one)).join(', ')}${ofFull(rows, full)}`,
    ].join('; '),
    least: goal,
  })
}

interface Files {
  plain: FileToSend
  zipped: FileToSend
}

async function bothFiles(folder: string, name: string, rows: number): Promise<Files> {
  const plain = join(folder, `${name}.csv`)
  const zipped = join(folder, `${name}.zip`)
  await writeCsv(plain, rows)
  await writeZip(zipped, 'list.csv', csvBytes(rows))
  return { plain: await fileToSend(plain), zipped: await fileToSend(zipped) }
}

export async function fileToSend(path: string): Promise<FileToSend> {
  const { size } = await stat(path)
  return { name: basename(path), size, open: () => createReadStream(path, { highWaterMark: 256 * 1024 }) }
}

/** @returns milliseconds */
export async function importWhole(
  partner: Partner,
  storageId: number,
  file: FileToSend,
  rows: number,
): Promise<number> {
  const listId = await partner.createList(storageId)
  return timed(async () => {
    const imported = await partner.follow(await partner.upload(listId, file))
    if (imported !== rows) throw new Error(`${imported} rows were imported, not ${rows}`)
  })
}
