import type { RowBlock } from '@partsbus/price-file/row-block'
import { keptCells } from '../import-tasks/skipped-row.js'
import { isBlank } from '../rows/read-row.js'
import { HEADER_WITHIN, type NumberedRow } from '../rows/row-reader.js'

const SHOWN_SAMPLE = 30
/** A header below this row of the file begins the sample, so that rows below it are shown, too. */
const SAMPLE_HEADER_WITHIN = 20
/** Characters of a cell of the sample, and of the header. */
const SAMPLE_CELL = 100
const HEADER_CELL = 200

/** The first rows of a file that are not blank, and how many there are in each of its sheets. */
export class SeenTop {
  private readonly rows: NumberedRow[] = []
  private readonly most: number
  /** by name; `''` when one sheet, or a text, is read */
  readonly rowsOfSheets = new Map<string, number>()

  constructor(skipRows: number) {
    this.most = skipRows + HEADER_WITHIN + SHOWN_SAMPLE
  }

  get isComplete(): boolean {
    return this.rows.length >= this.most
  }

  push({ first, rows, sheet }: RowBlock): void {
    let filled = 0
    rows.forEach((cells, index) => {
      if (cells.every(isBlank)) return
      filled += 1
      if (!this.isComplete) this.rows.push({ row: first + index, cells })
    })
    const name = sheet?.name ?? ''
    this.rowsOfSheets.set(name, (this.rowsOfSheets.get(name) ?? 0) + filled)
  }

  /** The top of the file, or the rows from a header on that stands far below it. */
  sample(header: NumberedRow | null): NumberedRow[] {
    const from = header && header.row > SAMPLE_HEADER_WITHIN ? header.row : 0
    return this.rows
      .filter(({ row }) => row >= from)
      .slice(0, SHOWN_SAMPLE)
      .map((shown) => cutCells(shown, SAMPLE_CELL))
  }

  header(header: NumberedRow | null): NumberedRow | null {
    return header ? cutCells(header, HEADER_CELL) : null
  }
}

function cutCells({ row, cells }: NumberedRow, most: number): NumberedRow {
  return { row, cells: keptCells(cells).map((cell) => cell.slice(0, most).toWellFormed()) }
}
