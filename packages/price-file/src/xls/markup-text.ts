import { isUtf8 } from 'node:buffer'

/** XML declares its encoding within this many bytes. */
const HEAD_BYTES = 2_048
const FALLBACK = 'windows-1251'

/**
 * The text of an HTML or XML file: by its byte order mark, else its declared encoding, else UTF-8 if valid, else
 * windows-1251. A declaration of UTF-8 is ignored when the bytes are not valid UTF-8.
 */
export function markupText(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return decode(
    bytes,
    isUtf8(bytes) ? 'utf-8' : (declaredEncoding(bytes.toString('latin1', 0, HEAD_BYTES)) ?? FALLBACK),
  )
}

/** The code page that HTML or XML declares; UTF is recognised by its bytes, so a declaration of it does not count. */
export function declaredEncoding(head: string): string | undefined {
  const found =
    /<\?xml[^<>]*\sencoding=["']([\w.:-]+)["']/i.exec(head)?.[1] ??
    /<meta[^<>]*\bcharset=["']?\s*([\w.:-]+)/i.exec(head)?.[1]
  return found === undefined || /^utf/i.test(found) ? undefined : found
}

function decode(bytes: Buffer, encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch {
    // an unknown encoding
    return new TextDecoder(FALLBACK).decode(bytes)
  }
}
