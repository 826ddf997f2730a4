import type { RowBlock } from './row-block.js'

/**
 * Rows as one text and the places of their cells in it. It is made, sent to another process and counted without cutting
 * the text into cells.
 */
export interface PackedRows {
  /** number of the first row, from 1 */
  first: number
  /** number of rows */
  count: number
  text: string
  /** for each row the number of its cells, then start and end of each; valid until the next block is asked for */
  places: Int32Array
}

export function unpackRows({ first, count, text, places }: PackedRows): RowBlock {
  const rows = Array<string[]>(count)
  let at = 0
  for (let row = 0; row < count; row += 1) {
    const width = places[at] ?? 0
    at += 1
    // made as long as it gets: one that grows takes three times the memory
    const cells = Array<string>(width)
    for (let cell = 0; cell < width; cell += 1) {
      cells[cell] = text.substring(places[at] ?? 0, places[at + 1] ?? 0)
      at += 2
    }
    rows[row] = cells
  }
  return { first, rows }
}

export function packRows({ first, rows }: RowBlock): PackedRows {
  let size = 0
  for (const cells of rows) size += 1 + 2 * cells.length
  const places = new Int32Array(size)
  let text = ''
  let at = 0
  for (const cells of rows) {
    places[at] = cells.length
    at += 1
    for (const cell of cells) {
      places[at] = text.length
      text += cell
      places[at + 1] = text.length
      at += 2
    }
  }
  return { first, count: rows.length, text, places }
}

export async function* unpacked(source: AsyncIterable<PackedRows>): AsyncGenerator<RowBlock> {
  for await (const packed of source) yield unpackRows(packed)
}

export async function* packed(source: AsyncIterable<RowBlock>): AsyncGenerator<PackedRows> {
  for await (const block of source) yield packRows(block)
}
