import {
  openPlain,
  type PlainFile,
  type PriceFileOptions,
  type PriceFileRows,
  unpackPriceFile,
} from '@partsbus/price-file/open-price-file'
import type { RowBlock } from '@partsbus/price-file/row-block'
import type { PriceListFormat } from '@partsbus/contracts/price-list'
import type { LocalFile } from '../files/local-file.js'

/** Cells of a file that is kept in memory instead of being read again. */
const KEPT_CELLS = 200_000

/** The rows of a price list, to be read more than once: an archive is unpacked once, and a small file is read once. */
export class RowSource {
  private readonly plain: PlainFile
  private readonly options: PriceFileOptions
  private kept: RowBlock[] | undefined
  readonly unpackedBytes: number
  /** how the file was read last */
  form: Pick<PriceFileRows, 'encoding' | 'delimiter' | 'sheet'> = { encoding: null, delimiter: null, sheet: null }

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

  /** All rows from the first one on. @throws PriceFileError */
  async *blocks(): AsyncGenerator<RowBlock> {
    if (this.kept) {
      yield* this.kept
      return
    }
    const { blocks, encoding, delimiter, sheet } = await openPlain(this.plain, this.options)
    this.form = { encoding, delimiter, sheet }
    let kept: RowBlock[] | undefined = []
    let cells = 0
    for await (const block of blocks) {
      for (const row of block.rows) cells += row.length
      if (cells > KEPT_CELLS) kept = undefined
      else kept?.push(block)
      yield block
    }
    this.kept = kept
  }
}
