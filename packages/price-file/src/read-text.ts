import { open } from 'node:fs/promises'
import { type Delimiter, findDelimiter } from './delimiter.js'
import { PriceFileError } from './price-file-error.js'
import { defaultRowLimits, type RowBlock, type RowLimits } from './row-block.js'
import { RowSplitter } from './split-rows.js'
import { textBlocks } from './text-blocks.js'
import { findEncoding, type TextEncodingName } from './text-encoding.js'

const SAMPLE_CHARS = 64 * 1024

export interface TextOptions {
  encoding?: TextEncodingName | 'auto'
  delimiter?: Delimiter | 'auto'
  limits?: Partial<RowLimits>
  /** bytes read at once; smaller only in tests */
  chunkBytes?: number
}

/** How a text file was read. */
export interface TextForm {
  encoding: TextEncodingName
  delimiter: Delimiter
}

/** An open text file: how it is read, and its rows. */
export interface TextRows extends TextForm {
  blocks: AsyncGenerator<RowBlock>
}

/**
 * Reads a CSV or TXT file of any size in bounded memory.
 * @throws PriceFileError EMPTY at once; ENCODING at once; ROW_TOO_LONG and TOO_MANY_ROWS while the rows are read
 */
export async function readText(path: string, options: TextOptions = {}): Promise<TextRows> {
  const limits = { ...defaultRowLimits, ...options.limits }
  const file = await open(path, 'r')
  try {
    const found = await findEncoding(file, options.encoding ?? 'auto')
    const source = textBlocks(file, found, options.chunkBytes)
    const { sample, isWhole } = await takeSample(source)
    if (sample.replaceAll('\0', '') === '') throw new PriceFileError('EMPTY', 'The file is empty.')
    const clean = cleaner(sample)
    const { delimiter, width } = findDelimiter(clean(sample), isWhole, options.delimiter)
    const splitter = new RowSplitter(delimiter, width, limits)
    return { encoding: found.encoding, delimiter, blocks: rowBlocks(splitter, clean, sample, source, () => file.close()) }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** The beginning of the text: a block, or more where blocks are small. */
async function takeSample(source: AsyncGenerator<string>): Promise<{ sample: string; isWhole: boolean }> {
  let sample = ''
  while (sample.length < SAMPLE_CHARS) {
    const { done, value } = await source.next()
    if (done) return { sample, isWhole: true }
    sample += value
  }
  return { sample, isWhole: false }
}

/** Leaves out NUL characters; a file whose only line ends are carriage returns gets line feeds instead. */
function cleaner(sample: string): (text: string) => string {
  const hasOnlyReturns = sample.includes('\r') && !sample.includes('\n')
  return (text) => {
    const lines = hasOnlyReturns ? text.replaceAll('\r', '\n') : text
    return lines.includes('\0') ? lines.replaceAll('\0', '') : lines
  }
}

async function* rowBlocks(
  splitter: RowSplitter, clean: (text: string) => string, sample: string, source: AsyncGenerator<string>, close: () => Promise<void>,
): AsyncGenerator<RowBlock> {
  let next = 1
  const block = (text: string, isLast: boolean): RowBlock => {
    const rows = splitter.push(clean(text), isLast)
    next += rows.length
    return { first: next - rows.length, rows }
  }
  try {
    yield block(sample, false)
    for await (const text of source) yield block(text, false)
    yield block('', true)
  } finally {
    await close()
  }
}
