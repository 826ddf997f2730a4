import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Figure, median, round, timed } from './measure.js'
import type { OffersByHand } from './offers-by-hand.js'
import type { FileToSend, Partner } from './partner.js'
import { csvBytes, writeCsv } from './price-rows.js'
import { ofFull, scaled } from './scale.js'
import { writeZip } from './zip-writer.js'

const ROWS = 1_000_000
const ROUNDS = 3

/** Whole imports, from the first byte of the upload to `completed`; each list is new, so that nothing has to be removed meanwhile. */
export async function benchImportSpeed(partner: Partner, byHand: OffersByHand, storageId: number, folder: string, scale: number): Promise<Figure[]> {
  const rows = scaled(ROWS, scale, 1_000)
  const plain = join(folder, 'list.csv')
  const zipped = join(folder, 'list.zip')
  await writeCsv(plain, rows)
  await writeZip(zipped, 'list.csv', csvBytes(rows))
  const files = { plain: await fileToSend(plain), zipped: await fileToSend(zipped) }
  const sides = {
    plain: () => importWhole(partner, storageId, files.plain, rows),
    zipped: () => importWhole(partner, storageId, files.zipped, rows),
    byHand: (turn: number) => byHand.insert(turn, rows),
  }
  const order = ['plain', 'byHand', 'zipped'] as const
  const times = { plain: [] as number[], zipped: [] as number[], byHand: [] as number[] }
  for (let turn = 0; turn <= ROUNDS; turn += 1) {
    for (const side of turn % 2 === 0 ? order : order.toReversed()) {
      const ms = await sides[side](turn + 1)
      // the first turn warms all of them up
      if (turn > 0) times[side].push(ms)
    }
  }
  return [
    ratio('whole import of 1,000,000 CSV rows, against insert-only by the driver', times.plain, times.byHand, 'by hand'),
    ratio('import of a CSV in a ZIP, against the plain CSV', times.zipped, times.plain, 'plain'),
  ]

  function ratio(what: string, mine: number[], theirs: number[], other: string): Figure {
    const ratios = mine.map((ms, at) => (theirs[at] ?? NaN) / ms)
    const value = median(ratios)
    const speed = (ms: number): number => Math.round(rows / ms * 1_000)
    return {
      what, value: round(value), unit: '× its speed', goal: '≥ 0.9', reached: value >= 0.9,
      detail: `${speed(median(mine))} rows a second, ${other} ${speed(median(theirs))}; ratios ${ratios.map((one) => round(one)).join(', ')}${ofFull(rows, ROWS)}`,
    }
  }
}

export async function fileToSend(path: string): Promise<FileToSend> {
  const { size } = await stat(path)
  return { name: basename(path), size, open: () => createReadStream(path, { highWaterMark: 256 * 1024 }) }
}

/** @returns milliseconds */
export async function importWhole(partner: Partner, storageId: number, file: FileToSend, rows: number): Promise<number> {
  const listId = await partner.createList(storageId)
  return timed(async () => {
    const imported = await partner.follow(await partner.upload(listId, file))
    if (imported !== rows) throw new Error(`${imported} rows were imported, not ${rows}`)
  })
}
