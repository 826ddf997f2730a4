import { isUtf8 } from 'node:buffer'
import type { FileHandle } from 'node:fs/promises'
import { guessCodePage } from './code-page.js'
import { PriceFileError } from './price-file-error.js'
import { readAhead } from './read-ahead.js'

export type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1251' | 'ibm866' | 'koi8-r'

export interface FoundEncoding {
  encoding: TextEncodingName
  /** bytes of the byte order mark, which are skipped */
  skip: number
}

/** From its beginning, to recognise the code page by. */
const SAMPLE = 256 * 1024
const CHUNK = 512 * 1024
const LONGEST_CHARACTER = 4

/**
 * Determines the encoding of a text file before reading a row (rules.md#reading): byte order mark, else strict UTF-8
 * over the whole file, else the code page that its letters suggest. The whole file is checked, so that an invalid
 * byte near its end cannot corrupt earlier rows.
 * @param asked the configured encoding of the list, or `auto`
 * @throws PriceFileError ENCODING when UTF-8 is configured and the file is not UTF-8
 */
export async function findEncoding(file: FileHandle, asked: TextEncodingName | 'auto'): Promise<FoundEncoding> {
  const head = Buffer.alloc(4_096)
  const { bytesRead } = await file.read(head, 0, head.length, 0)
  const marked = byteOrderMark(head.subarray(0, bytesRead))
  // a mark has priority over the setting: no text begins with these bytes otherwise, and our own exports have a mark
  if (marked) return marked
  if (asked !== 'auto' && asked !== 'utf-8') return { encoding: asked, skip: 0 }
  if (asked === 'auto') {
    const wide = unmarkedUtf16(head.subarray(0, bytesRead))
    if (wide) return { encoding: wide, skip: 0 }
  }
  if (await isUtf8File(file)) return { encoding: 'utf-8', skip: 0 }
  if (asked === 'utf-8') throw new PriceFileError('ENCODING', 'The file is not valid UTF-8.')
  const sample = Buffer.alloc(SAMPLE)
  const sampled = await file.read(sample, 0, sample.length, 0)
  return { encoding: guessCodePage(sample.subarray(0, sampled.bytesRead)), skip: 0 }
}

function byteOrderMark(head: Buffer): FoundEncoding | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { encoding: 'utf-8', skip: 3 }
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf-16le', skip: 2 }
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf-16be', skip: 2 }
  return undefined
}

/** High bytes of Latin, Cyrillic and general punctuation: nearly all of a price list in UTF-16. */
const usualHighBytes = new Set([0x00, 0x04, 0x20, 0x21])

/** Digits, delimiters and line ends have a zero byte in UTF-16, always on the same side. */
export function unmarkedUtf16(head: Buffer): TextEncodingName | undefined {
  const pairs = head.length >> 1
  if (pairs < 8) return undefined
  const looksWide = (side: 0 | 1): boolean => {
    let zero = 0
    let usual = 0
    for (let pair = 0; pair < pairs; pair += 1) {
      const high = head[pair * 2 + side] ?? 0
      if (high === 0) zero += 1
      if (usualHighBytes.has(high)) usual += 1
    }
    return zero > pairs * 0.1 && usual > pairs * 0.95
  }
  if (looksWide(1)) return 'utf-16le'
  return looksWide(0) ? 'utf-16be' : undefined
}

async function isUtf8File(file: FileHandle): Promise<boolean> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const { buffer, start, end } of readAhead(file, 0, CHUNK, LONGEST_CHARACTER)) {
    const from = start - rest.length
    rest.copy(buffer, from)
    const cut = from + wholeCharacters(buffer.subarray(from, end), end - from)
    if (!isUtf8(buffer.subarray(from, cut))) return false
    rest = Buffer.from(buffer.subarray(cut, end))
  }
  return rest.length === 0
}

/** The end of the last complete character; at most three bytes before `length`. */
export function wholeCharacters(buffer: Buffer, length: number): number {
  for (let back = 1; back <= Math.min(4, length); back += 1) {
    const byte = buffer[length - back] ?? 0
    if (byte < 0x80) return length
    if (byte < 0xc0) continue
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return size > back ? length - back : length
  }
  return length
}
