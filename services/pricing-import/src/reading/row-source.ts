import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  countSheets,
  openPlain,
  type PlainFile,
  type PriceFileOptions,
  type PriceFileRows,
  unpackPriceFile,
} from '@partsbus/price-file/open-price-file'
import type { RowBlock, SheetCount } from '@partsbus/price-file/row-block'
import type { PriceListFormat } from '@partsbus/contracts/pricing-import/price-list'
import type { LocalFile } from '../files/local-file.js'

/** A file with at most this many cells and characters stays in memory instead of being read again. */
const MAX_CACHED_CELLS = 200_000
const MAX_CACHED_CHARACTERS = 16 * 1024 * 1024

/** Rows that are read without a turn of the event loop, which takes a few milliseconds. */
const ROWS_IN_TURN = 2_000

/**
 * The rows of a price list, which can be read repeatedly. An archive is unpacked once, and a small file is read once.
 */
export class RowSource {
  private readonly plain: PlainFile
  private readonly options: PriceFileOptions
  private cached: RowBlock[] | undefined
  readonly unpackedBytes: number
  /** how the file was read last */
  form: Omit<PriceFileRows, 'blocks'> = { encoding: null, delimiter: null, sheet: null, sheets: [] }

  /** @param folder an empty private folder @throws PriceFileError */
  static async open(file: LocalFile, folder: string, format: PriceListFormat): Promise<RowSource> {
    const { encoding = 'auto', delimiter = 'auto', sheet = 'auto' } = format
    return new RowSource(await unpackPriceFile(file.path, file.name, folder, file.maxUnpacked), {
      encoding: encoding === 'cp866' ? 'ibm866' : encoding,
      delimiter,
      maxUnpacked: file.maxUnpacked,
      ...(sheet !== 'auto' && { sheet }),
    })
  }

  private constructor(plain: PlainFile, options: PriceFileOptions) {
    this.plain = plain
    this.unpackedBytes = plain.unpackedBytes
    this.options = options
  }

  get kind(): PlainFile['kind'] {
    return this.plain.kind
  }

  /** The same file with its encoding and sheet detected, whatever the format says. */
  detected(): RowSource {
    const { sheet: _sheet, ...options } = this.options
    return new RowSource(this.plain, { ...options, encoding: 'auto' })
  }

  /** All sheets of a workbook, with the numbers of rows that are wanted. @throws PriceFileError */
  countSheets(isWanted: (name: string) => boolean): Promise<SheetCount[]> {
    return countSheets(this.plain, this.options, isWanted)
  }

  /**
   * All rows, from the first one. A file of 256 KiB may have 130,000 rows, so others get their turn in between.
   * @throws PriceFileError
   */
  async *blocks(): AsyncGenerator<RowBlock> {
    let rowsInTurn = 0
    for await (const { first, rows, ...block } of this.read()) {
      let from = 0
      // a block without rows may open a sheet
      do {
        const part = rows.length <= ROWS_IN_TURN ? rows : rows.slice(from, from + ROWS_IN_TURN)
        yield { ...block, first: first + from, rows: part }
        from += ROWS_IN_TURN
        rowsInTurn += part.length
        if (rowsInTurn >= ROWS_IN_TURN) {
          rowsInTurn = 0
          await nextTurn()
        }
      } while (from < rows.length)
    }
  }

  private async *read(): AsyncGenerator<RowBlock> {
    if (this.cached) {
      yield* this.cached
      return
    }
    const { blocks, ...form } = await openPlain(this.plain, this.options)
    // under the name that the format has for it
    this.form = { ...form, encoding: form.encoding === 'ibm866' ? 'cp866' : form.encoding }
    let cached: RowBlock[] | undefined = []
    let cells = 0
    let characters = 0
    for await (const block of blocks) {
      for (const row of block.rows) {
        cells += row.length
        // a row of few cells may have a million characters
        if (cached) for (const cell of row) characters += cell.length
      }
      if (cells > MAX_CACHED_CELLS || characters > MAX_CACHED_CHARACTERS) cached = undefined
      else cached?.push(block)
      yield block
    }
    this.cached = cached
  }
}
