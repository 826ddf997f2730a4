import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { CommandFailed, UsageError } from '../exit-codes.js'

/** An item with its place in the file. */
export interface NumberedItem {
  /** 1-based line */
  line: number
  item: unknown
  /** offset of the end of the line */
  end: number
}

const NEW_LINE = 0x0a
const REPLACEMENT = '\uFFFD'
/** A longer line cannot be an item: the API takes 8 MiB. */
const MAX_LINE_BYTES = 8 * 1024 * 1024

/**
 * The items of an NDJSON file. Blank lines are ignored.
 * @throws UsageError when the file cannot be read
 * @throws CommandFailed for a line that is not one item as JSON in UTF-8
 */
export async function* readItems(path: string): AsyncGenerator<NumberedItem> {
  let line = 0
  let end = 0
  for await (const text of readLines(path)) {
    line += 1
    end += text.length + 1
    const item = parseLine(text, path, line)
    if (item !== undefined) yield { line, item, end }
  }
}

async function* readLines(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer<ArrayBufferLike> = Buffer.alloc(0)
  let isFirst = true
  try {
    for await (const read of createReadStream(path) as AsyncIterable<Buffer>) {
      const chunk = rest.length === 0 ? read : Buffer.concat([rest, read])
      if (isFirst) refuseForeign(chunk, path)
      isFirst = false
      let from = 0
      for (let end = chunk.indexOf(NEW_LINE); end !== -1; end = chunk.indexOf(NEW_LINE, from)) {
        yield chunk.subarray(from, end)
        from = end + 1
      }
      rest = chunk.subarray(from)
      if (rest.length > MAX_LINE_BYTES) throw new CommandFailed(`${path} has a line of more than 8 MiB.`)
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new UsageError(`${path} cannot be read (${code}).`)
  }
  if (rest.length > 0) yield rest
}

/** Names what a file is that has no lines of UTF-8. @throws CommandFailed */
function refuseForeign(start: Buffer, path: string): void {
  const [first, second] = start
  if (first === 0x1f && second === 0x8b) throw new CommandFailed(`${path} is compressed with gzip. Unpack it first.`)
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  if (isUtf16 || start.subarray(0, 2).includes(0)) throw new CommandFailed(`${path} is UTF-16. Save it as UTF-8.`)
  if (start.toString('utf8', 0, 64).trimStart().startsWith('[')) {
    throw new CommandFailed(`${path} is a JSON array. Write one item per line, for example with: jq -c '.[]' ${path}`)
  }
}

/** Undefined for a blank line. */
function parseLine(bytes: Buffer, path: string, line: number): unknown {
  const place = `${path}:${line}`
  // the API refuses such bytes as well; decoded leniently they would be stored as other texts
  if (!isUtf8(bytes)) {
    throw new CommandFailed(`${place} is not UTF-8 from byte ${findInvalid(bytes)} of the line on. Save it as UTF-8.`)
  }
  const text = bytes.toString('utf8').replace(line === 1 ? /^\uFEFF/ : '', '')
  if (text.trim() === '') return undefined
  let item: unknown
  try {
    item = JSON.parse(text)
  } catch (error) {
    throw new CommandFailed(`${place} is not JSON: ${(error as Error).message}`)
  }
  refuseBody(item, path)
  return item
}

/** The offset of the first bytes that decoding replaces. */
function findInvalid(bytes: Buffer): number {
  const text = bytes.toString('utf8')
  for (let at = text.indexOf(REPLACEMENT); at !== -1; at = text.indexOf(REPLACEMENT, at + 1)) {
    const offset = Buffer.byteLength(text.slice(0, at))
    // the text may have the character itself
    if (bytes.indexOf(REPLACEMENT, offset) !== offset) return offset
  }
  return bytes.length
}

/** An object with nothing but a list is the body of a whole batch, not an item. @throws CommandFailed */
function refuseBody(item: unknown, path: string): void {
  if (typeof item !== 'object' || item === null) return
  const [[key, list] = [], ...more] = Object.entries(item)
  if (!Array.isArray(list) || more.length > 0) return
  const hint = `Write one item per line, for example with: jq -c '.${key}[]' ${path}`
  throw new CommandFailed(`${path} has its items in the list "${key}". ${hint}`)
}
