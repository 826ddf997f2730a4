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
  /** bytes decoded at once; smaller only in tests */
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
    if (sample === '') throw new PriceFileError('EMPTY', 'The file is empty.')
    const clean = cleaner(sample)
    const { delimiter, width } = findDelimiter(clean(sample), isWhole, options.delimiter)
    const splitter = new RowSplitter(delimiter, width, limits)
    const blocks = rowBlocks(splitter, clean, sample, source, () => file.close())
    return { encoding: found.encoding, delimiter, blocks }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** The beginning of the text: one block, or several small ones. */
async function takeSample(source: AsyncGenerator<string>): Promise<{ sample: string; isWhole: boolean }> {
  let sample = ''
  while (sample.length < SAMPLE_CHARS) {
    const { done, value } = await source.next()
    if (done) return { sample, isWhole: true }
    sample += value
  }
  return { sample, isWhole: false }
}

/**
 * Replaces carriage returns by line feeds if they end the rows of the file. Excel for Mac wrote such files, with line
 * feeds inside of cells; the sample of a large one ends after such a line feed, in a cell that is still open.
 */
function cleaner(sample: string): (text: string) => string {
  if (!sample.includes('\r') || sample.includes('\r\n')) return (text) => text
  const unquoted = sample.includes('\n') ? sample.replaceAll(/"[^"]*(?:"|$)/g, '') : sample
  return unquoted.includes('\r') && !unquoted.includes('\n') ? (text) => text.replaceAll('\r', '\n') : (text) => text
}

async function* rowBlocks(
  splitter: RowSplitter,
  clean: (text: string) => string,
  sample: string,
  source: AsyncGenerator<string>,
  close: () => Promise<void>,
): AsyncGenerator<RowBlock> {
  try {
    yield splitter.push(clean(sample), false)
    for await (const text of source) yield splitter.push(clean(text), false)
    yield splitter.push('', true)
  } finally {
    await close()
  }
}
