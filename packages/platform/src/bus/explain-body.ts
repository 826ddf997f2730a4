import { type BodyError, emptyBody } from '@partsbus/contracts/body-error'
import { findJsonError, skipSpaces } from './find-json-error.js'

/**
 * Finds the first byte at which a body stops being JSON in UTF-8 (rules.md#body-error).
 * @param start where the text begins, behind a byte order mark
 * @returns undefined when the body is valid
 */
export function explainBody(bytes: Uint8Array, start = 0): BodyError | undefined {
  const notUtf8 = findInvalidUtf8(bytes)
  if (notUtf8 !== undefined) {
    const message = `Byte ${notUtf8} (${hex(bytes[notUtf8])}) is not valid UTF-8. ${whatToDo(bytes)}`
    return { code: 'not_utf8', byte: notUtf8, message }
  }
  const byte = findJsonError(bytes, start)
  if (byte === undefined) return undefined
  if (byte < bytes.length) return { code: 'not_json', byte, message: describeByte(byte, bytes[byte] ?? 0) }
  const isBlank = skipSpaces(bytes, start) === bytes.length
  return { code: 'not_json', byte, message: isBlank ? emptyBody.message : 'The body ends inside the JSON.' }
}

/** By the first two bytes: of a gzip file, or the byte order mark of UTF-16. */
function whatToDo([first, second]: Uint8Array): string {
  if (first === 0x1f && second === 0x8b) return 'The body is compressed with gzip. Send it uncompressed.'
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  return isUtf16 ? 'Send the body in UTF-8, not in UTF-16.' : 'Send the body in UTF-8.'
}

function describeByte(at: number, byte: number): string {
  if (byte === 0) return `Byte ${at} (${hex(byte)}) is not valid JSON. Send the body in UTF-8, not in UTF-16.`
  const shown = byte > 0x20 && byte < 0x7f ? `"${String.fromCharCode(byte)}"` : hex(byte)
  return `Byte ${at} (${shown}) is not valid JSON at this position.`
}

function hex(byte = 0): string {
  return `0x${byte.toString(16).toUpperCase().padStart(2, '0')}`
}

/** The offset of the first sequence that is not UTF-8 (RFC 3629: nothing overlong, no surrogates). */
function findInvalidUtf8(bytes: Uint8Array): number | undefined {
  let at = 0
  while (at < bytes.length) {
    const lead = bytes[at] ?? 0
    const length = sequenceLength(lead)
    if (length === 0 || !isSequence(bytes, at, length)) return at
    at += length
  }
  return undefined
}

function sequenceLength(lead: number): number {
  if (lead < 0x80) return 1
  if (lead < 0xc2) return 0
  if (lead < 0xe0) return 2
  if (lead < 0xf0) return 3
  return lead < 0xf5 ? 4 : 0
}

function isSequence(bytes: Uint8Array, at: number, length: number): boolean {
  for (let offset = 1; offset < length; offset += 1) {
    const byte = bytes[at + offset] ?? 0
    if ((byte & 0xc0) !== 0x80) return false
  }
  const [lead, second = 0x80] = [bytes[at], bytes[at + 1]]
  if (lead === 0xe0) return second >= 0xa0
  if (lead === 0xed) return second < 0xa0
  if (lead === 0xf0) return second >= 0x90
  return lead !== 0xf4 || second < 0x90
}
