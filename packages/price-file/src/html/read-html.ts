import { type FileHandle, open } from 'node:fs/promises'
import { PriceFileError } from '../price-file-error.js'
import { readAhead } from '../read-ahead.js'
import { defaultRowLimits, type RowBlock, type RowLimits } from '../row-block.js'
import { findEncoding, type TextEncodingName } from '../text-encoding.js'
import { declaredEncoding } from '../xls/markup-text.js'
import { HtmlEvents } from './html-events.js'
import { TableRows } from './table-rows.js'

const CHUNK = 64 * 1024
const HEAD_BYTES = 4_096

export interface HtmlOptions {
  encoding?: TextEncodingName | 'auto'
  limits?: Partial<RowLimits>
}

export interface HtmlRows {
  encoding: string
  blocks: AsyncGenerator<RowBlock>
}

/**
 * Reads the tables of an HTML page of any size in bounded memory: the rows of all tables, one table after another, as
 * Excel puts them on one sheet.
 * @throws PriceFileError WEB_PAGE and ENCODING at once; ROW_TOO_LONG and TOO_MANY_ROWS while the rows are read
 */
export async function readHtml(path: string, options: HtmlOptions = {}): Promise<HtmlRows> {
  await requireTable(path, options)
  const file = await open(path, 'r')
  try {
    const { encoding, skip } = await htmlEncoding(file, options.encoding ?? 'auto')
    return { encoding, blocks: closing(file, tableBlocks(file, encoding, skip, new TableRows(limitsOf(options)))) }
  } catch (error) {
    await file.close()
    throw error
  }
}

/**
 * A page without a table of data is a message or a form, for example to sign in. A page is read as far as its first
 * table of data, which is nearly always at its beginning.
 * @throws PriceFileError WEB_PAGE
 */
export async function requireTable(path: string, options: HtmlOptions = {}): Promise<void> {
  const file = await open(path, 'r')
  try {
    const { encoding, skip } = await htmlEncoding(file, options.encoding ?? 'auto')
    const tables = new TableRows(limitsOf(options))
    for await (const _ of tableBlocks(file, encoding, skip, tables)) if (tables.hasData) return
    if (!tables.hasData) throw webPage()
  } finally {
    await file.close()
  }
}

export function webPage(): PriceFileError {
  return new PriceFileError('WEB_PAGE', 'This is a web page, not a price list.')
}

function limitsOf({ limits }: HtmlOptions): RowLimits {
  return { ...defaultRowLimits, ...limits }
}

async function* tableBlocks(
  file: FileHandle,
  encoding: string,
  skip: number,
  tables: TableRows,
): AsyncGenerator<RowBlock> {
  const decoder = new TextDecoder(encoding)
  const events = new HtmlEvents(tables)
  let first = 1
  const block = (): RowBlock => {
    const rows = tables.take()
    first += rows.length
    return { first: first - rows.length, rows }
  }
  for await (const { buffer, start, end } of readAhead(file, skip, CHUNK, 0)) {
    events.push(decoder.decode(buffer.subarray(start, end), { stream: true }))
    yield block()
  }
  events.push(decoder.decode())
  events.end()
  tables.end()
  yield block()
}

async function* closing(file: FileHandle, blocks: AsyncGenerator<RowBlock>): AsyncGenerator<RowBlock> {
  try {
    yield* blocks
  } finally {
    await file.close()
  }
}

/** That of a text; a page in a code page is in the one that it declares. */
async function htmlEncoding(
  file: FileHandle,
  asked: TextEncodingName | 'auto',
): Promise<{ encoding: string; skip: number }> {
  const found = await findEncoding(file, asked)
  if (asked !== 'auto' || found.encoding.startsWith('utf-')) return found
  const head = Buffer.alloc(HEAD_BYTES)
  const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0)
  return {
    ...found,
    encoding: knownEncoding(declaredEncoding(head.toString('latin1', 0, bytesRead))) ?? found.encoding,
  }
}

/** Without those of Unicode: a page in one of them was found to be, and this one is not. */
function knownEncoding(label: string | undefined): string | undefined {
  if (label === undefined) return undefined
  try {
    const { encoding } = new TextDecoder(label)
    return encoding.startsWith('utf-') ? undefined : encoding
  } catch {
    return undefined
  }
}
