import { CFB } from '@e965/xlsx'
import { PriceFileError } from '../price-file-error.js'

/** The cells of a sheet of a binary workbook. */
const MOST_LINKED = 65_536 * 256

const beginnings = new Set([0x0009, 0x0209, 0x0409, 0x0809])
const END = 0x000a
/** What follows is encrypted. */
const FILE_PASS = 0x002f
/** Records that begin with a range of cells, and the bytes before it: links, and the texts shown for them. */
const linkOffsets = new Map([
  [0x01b8, 0],
  [0x0800, 2],
])
const RANGE_BYTES = 8

/**
 * The library visits each cell of each link, also those that do not exist: a link over 65,536 × 65,536 cells, in a file
 * of 4 KB, would occupy a reader until its time limit.
 * @throws PriceFileError DAMAGED when the links of a binary workbook have more cells than a sheet
 */
export function requireFewLinkedCells(bytes: Buffer): void {
  const file: unknown = CFB.read(bytes, { type: 'buffer' })
  const stream = (CFB.find(file, '/Workbook') ?? CFB.find(file, '/Book')) as { content?: Buffer | number[] } | null
  if (!stream?.content) return
  const content = Buffer.isBuffer(stream.content) ? stream.content : Buffer.from(stream.content)
  if (linkedCells(content) > MOST_LINKED) throw new PriceFileError('DAMAGED', 'The workbook is damaged.')
}

function linkedCells(stream: Buffer): number {
  let cells = 0
  let depth = 0
  for (let at = 0; at + 4 <= stream.length;) {
    const type = stream.readUInt16LE(at)
    const end = at + 4 + stream.readUInt16LE(at + 2)
    if (beginnings.has(type)) depth += 1
    else if (depth === 0 || type === FILE_PASS) break
    else if (type === END) depth -= 1
    const offset = linkOffsets.get(type)
    const range = at + 4 + (offset ?? 0)
    if (offset !== undefined && range + RANGE_BYTES <= stream.length) {
      const rows = stream.readUInt16LE(range + 2) - stream.readUInt16LE(range) + 1
      const columns = stream.readUInt16LE(range + 6) - stream.readUInt16LE(range + 4) + 1
      cells += Math.max(0, rows) * Math.max(0, columns)
    }
    at = end
  }
  return cells
}
