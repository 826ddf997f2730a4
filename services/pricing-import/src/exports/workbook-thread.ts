import { once } from 'node:events'
import { Writable } from 'node:stream'
import { parentPort, workerData } from 'node:worker_threads'
import exceljs from 'exceljs'
import type { Cell } from './csv.js'

/* The thread behind `workbook.ts`: rows in, the bytes that they became out; one message each way at a time. */

/** Rows of the next batch; null: there are no more. */
export type WorkbookRequest = Cell[][] | null
export interface WorkbookResponse {
  bytes: Uint8Array[]
}
export interface WorkbookOptions {
  /** name of the sheet */
  sheet: string
  /** keeps the first row in sight */
  isFirstRowFrozen: boolean
}

/** Characters that XML 1.0 does not have. Excel refuses a file with one of them. */
const NOT_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu
/** A sheet has no more rows; the rest goes to another one. */
const MAX_ROWS = 1_048_576

const { sheet: name, isFirstRowFrozen } = workerData as WorkbookOptions
let bytes: Uint8Array[] = []
const workbook = new exceljs.stream.xlsx.WorkbookWriter({
  stream: new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      bytes.push(chunk)
      done()
    },
  }),
  useStyles: false,
  useSharedStrings: false,
})
workbook.creator = 'Partsbus'
let sheets = 0
let rows = 0
let heading: Cell[] = []
let sheet = addSheet()

function addSheet(): exceljs.Worksheet {
  sheets += 1
  rows = 0
  const views: exceljs.WorksheetView[] = isFirstRowFrozen ? [{ state: 'frozen', ySplit: 1 } as never] : []
  return workbook.addWorksheet(sheets === 1 ? name : `${name} ${sheets}`, { views })
}

function addRow(cells: Cell[]): void {
  rows += 1
  sheet.addRow(cells.map(cellValue)).commit()
}

async function addRows(batch: Cell[][]): Promise<void> {
  for (const cells of batch) {
    if (rows === MAX_ROWS) {
      await drained()
      sheet.commit()
      sheet = addSheet()
      if (isFirstRowFrozen) addRow(heading)
    }
    if (sheets === 1 && rows === 0) heading = cells
    addRow(cells)
  }
  await drained()
}

/**
 * A string is always a cell of text, so that neither a formula is evaluated nor a leading zero lost. Spreadsheets read
 * `_x0041_` as the escape of a character.
 */
function cellValue(cell: Cell): Cell {
  if (cell === '') return null
  return typeof cell === 'string' ? cell.replace(NOT_XML, '').replaceAll(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_') : cell
}

/** The stream of the library's archiver, which is older than `writableNeedDrain`. */
type OldWritable = Writable & { _writableState: { needDrain: boolean } }

/** The writer ignores backpressure: without this all rows would be in memory before they are compressed. */
async function drained(): Promise<void> {
  const [input] = (sheet as unknown as { stream: { pipes: OldWritable[] } }).stream.pipes
  if (input?._writableState.needDrain) await once(input, 'drain')
}

async function respond(batch: WorkbookRequest): Promise<void> {
  if (batch) await addRows(batch)
  else await workbook.commit()
  const response: WorkbookResponse = { bytes }
  bytes = []
  parentPort?.postMessage(response)
}

parentPort?.on('message', (batch: WorkbookRequest) => void respond(batch))
