import { join } from 'node:path'
import { compareSpeed, fileToSend, importWhole } from './import-speed.js'
import type { Figure } from '../figures/measure.js'
import type { OffersByHand } from '../yardsticks/offers-by-hand.js'
import type { FileToSend, Partner } from '../clients/partner.js'
import { writeCsv } from '../clients/price-rows.js'
import { writeWorkbook } from '../clients/price-workbook.js'
import { scaled } from '../runs/scale.js'

const ROWS = 200_000
const ROUNDS = 3
/** Versions of the yardstick's offers that no other measurement of the same run uses. */
const FIRST_VERSION = 1_000
const GOALS = { 'CSV in utf-8': 0.95, 'CSV in windows-1251': 0.95, XLSX: 0.92 } as const
const TWO_AT_ONCE = 0.85

type Format = keyof typeof GOALS

/** Whole imports of 200,000 rows in each format, in turn with the same offers inserted by hand. */
export async function benchImportFormats(
  partner: Partner,
  byHand: OffersByHand,
  storageId: number,
  folder: string,
  scale: number,
): Promise<Figure[]> {
  const rows = scaled(ROWS, scale, 1_000)
  const files = await writeFiles(folder, rows)
  const times = new Map<Format | 'one' | 'two', number[]>()
  let version = FIRST_VERSION
  const sides = [
    ['one', () => byHand.insert((version += 1), rows, 1)],
    ...[...files].map(([format, file]) => [format, () => importWhole(partner, storageId, file, rows)] as const),
    ['two', () => byHand.insert((version += 1), rows, 2)],
  ] as const
  for (let turn = 0; turn <= ROUNDS; turn += 1) {
    for (const [side, run] of turn % 2 === 0 ? sides : sides.toReversed()) {
      const ms = await run()
      // the first round is a warm-up
      if (turn > 0) times.set(side, [...(times.get(side) ?? []), ms])
    }
  }
  const compare = (format: Format, by: 'one' | 'two', goal: number): Figure =>
    compareSpeed({
      what: `whole import of 200,000 rows of ${format}, against ${by} insertMany of 5,000 at a time`,
      rows,
      full: ROWS,
      mine: times.get(format) ?? [],
      theirs: times.get(by) ?? [],
      other: 'by hand',
      goal,
    })
  return [
    ...[...files.keys()].map((format) => compare(format, 'one', GOALS[format])),
    compare('CSV in utf-8', 'two', TWO_AT_ONCE),
  ]
}

async function writeFiles(folder: string, rows: number): Promise<Map<Format, FileToSend>> {
  const utf8 = join(folder, 'utf-8.csv')
  const windows = join(folder, 'windows-1251.csv')
  const workbook = join(folder, 'workbook.xlsx')
  await writeCsv(utf8, rows)
  await writeCsv(windows, rows, 'windows-1251')
  await writeWorkbook(workbook, rows)
  return new Map<Format, FileToSend>([
    ['CSV in utf-8', await fileToSend(utf8)],
    ['CSV in windows-1251', await fileToSend(windows)],
    ['XLSX', await fileToSend(workbook)],
  ])
}
