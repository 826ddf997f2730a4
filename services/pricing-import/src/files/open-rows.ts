import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PriceListFormat } from '@partsbus/contracts/price-list'
import { checkCaged, defaultCage, openCaged } from '@partsbus/price-file/cage/caged-reader'
import type { PriceFileRows } from '@partsbus/price-file/open-price-file'
import type { RowBlock } from '@partsbus/price-file/row-block'

/** A file of this machine. */
export interface LocalFile {
  path: string
  /** as the partner named it; only its extension counts */
  name: string
  /** bytes that an archive may unpack to */
  maxUnpacked: number
}

/** A day: while rows are written the reader waits for the database, so its time says nothing about the file. */
const WRITING_MS = 86_400_000

/**
 * Opens a price list in a child process. The rows must be iterated, which also ends the child.
 * @param pace `reading` bounds the time, `writing` leaves it to the caller, who has read the file once before
 * @throws PriceFileError
 */
export function openRows(file: LocalFile, format: PriceListFormat, pace: 'reading' | 'writing' = 'reading'): Promise<PriceFileRows> {
  const { encoding = 'auto', delimiter = 'auto', sheet = 'auto' } = format
  return openCaged(file.path, file.name, {
    encoding: encoding === 'cp866' ? 'ibm866' : encoding,
    delimiter,
    maxUnpacked: file.maxUnpacked,
    ...(sheet !== 'auto' && { sheet }),
  }, pace === 'reading' ? defaultCage : { ...defaultCage, maxMs: WRITING_MS })
}

/** Checks what can be told without reading the rows: extension, bytes, an archive's directory. @throws PriceFileError */
export function checkRows(file: LocalFile): Promise<void> {
  return checkCaged(file.path, file.name, file.maxUnpacked)
}

/** Rows handled in one turn of the event loop: what is asked of the service meanwhile waits for no more. */
const SLICE_ROWS = 1_000

/** The same rows in smaller blocks, with a turn of the event loop between them. */
export async function* inSlices(blocks: AsyncIterable<RowBlock> | Iterable<RowBlock>): AsyncGenerator<RowBlock> {
  for await (const { first, rows } of blocks) {
    for (let at = 0; at < rows.length; at += SLICE_ROWS) {
      yield { first: first + at, rows: rows.slice(at, at + SLICE_ROWS) }
      await nextTurn()
    }
  }
}
