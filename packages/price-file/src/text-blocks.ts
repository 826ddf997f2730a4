import { isAscii, transcode } from 'node:buffer'
import type { FileHandle } from 'node:fs/promises'
import { readAhead } from './read-ahead.js'
import { type FoundEncoding, type TextEncodingName, wholeCharacters } from './text-encoding.js'

/** A block of this size, its text and its rows stay in the processor's cache; 512 KiB took twice as long. */
const BLOCK = 64 * 1024
const BLOCKS_A_READ = 8
/** The longest character in all encodings. */
const LONGEST_CHARACTER = 4
const NEWLINE = 0x0a

/**
 * Text of a file, decoded block by block, without NUL characters. Blocks end after a line end if possible, so that no
 * character and few rows are split; therefore the fast whole-buffer decoders can be used.
 * @param blockBytes maximum bytes of a block
 */
export async function* textBlocks(file: FileHandle, found: FoundEncoding, blockBytes = BLOCK): AsyncGenerator<string> {
  const decode = createDecoder(found.encoding)
  const most = Math.max(blockBytes, LONGEST_CHARACTER)
  let rest: Buffer = Buffer.alloc(0)
  for await (const { buffer, start, end } of readAhead(file, found.skip, most * BLOCKS_A_READ, most)) {
    let position = start - rest.length
    rest.copy(buffer, position)
    while (end - position >= most) {
      const cut = findCut(buffer, position, position + most, found.encoding)
      yield decode(buffer.subarray(position, cut))
      position = cut
    }
    const line = lastLineEnd(buffer, position, end, found.encoding)
    if (line > position) yield decode(buffer.subarray(position, line))
    rest = Buffer.from(buffer.subarray(Math.max(line, position), end))
  }
  if (rest.length > 0) yield decode(rest)
}

/** Offset after the last line end, else after the last complete character. */
function findCut(buffer: Buffer, start: number, end: number, encoding: TextEncodingName): number {
  if (encoding.startsWith('utf-16')) {
    const whole = end - ((end - start) % 2)
    return whole - surrogateTail(buffer, whole, encoding)
  }
  const line = lastLineEnd(buffer, start, end, encoding)
  if (line > start) return line
  return encoding === 'utf-8' ? start + wholeCharacters(buffer.subarray(start, end), end - start) : end
}

/** Offset after the last line end; 0 without one, or in UTF-16, where a byte does not identify it. */
function lastLineEnd(buffer: Buffer, start: number, end: number, encoding: TextEncodingName): number {
  if (encoding.startsWith('utf-16')) return 0
  return start + buffer.subarray(start, end).lastIndexOf(NEWLINE) + 1
}

/** Two bytes when the last unit is the first half of a surrogate pair. */
function surrogateTail(buffer: Buffer, end: number, encoding: TextEncodingName): number {
  const high = buffer[encoding === 'utf-16le' ? end - 1 : end - 2] ?? 0
  return high >= 0xd8 && high <= 0xdb ? 2 : 0
}

function createDecoder(encoding: TextEncodingName): (bytes: Buffer) => string {
  if (encoding === 'utf-16le') return (bytes) => withoutNuls(bytes.toString('utf16le'))
  if (encoding === 'utf-16be')
    return (bytes) =>
      withoutNuls(
        Buffer.from(bytes.subarray(0, bytes.length & ~1))
          .swap16()
          .toString('utf16le'),
      )
  const decode = byteDecoder(encoding)
  return (bytes) => {
    const text = isAscii(bytes) ? bytes.toString('latin1') : decode(bytes)
    // bytes are searched faster than text
    return bytes.includes(0) ? withoutNuls(text) : text
  }
}

/** Decodes an encoding in which bytes below 0x80 are ASCII. */
function byteDecoder(encoding: TextEncodingName): (bytes: Buffer) => string {
  // ten times as fast as toString; the encoding was validated before, so nothing is replaced silently
  if (encoding === 'utf-8') return (bytes) => transcode(bytes, 'utf8', 'ucs2').toString('ucs2')
  const decoder = new TextDecoder(encoding)
  return (bytes) => decoder.decode(bytes)
}

function withoutNuls(text: string): string {
  return text.replaceAll('\0', '')
}
