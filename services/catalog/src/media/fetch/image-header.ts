import type { StoredMedia } from '@partsbus/contracts/catalog/media'

/** Type and size of an image, as its header has them. */
export interface ImageHeader {
  mime_type: StoredMedia['mime_type']
  /** pixels */
  width: number
  height: number
}

/** Enough bytes to recognize the type. */
export const HEAD_BYTES = 12

/** Recognizes the type by the first bytes, not by the content type or the name (rules.md#images-limits). */
export function imageType(head: Buffer): ImageHeader['mime_type'] | undefined {
  if (head.length < HEAD_BYTES) return undefined
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return 'image/jpeg'
  if (head.readUInt32BE(0) === 0x89504e47 && head.readUInt32BE(4) === 0x0d0a1a0a) return 'image/png'
  const start = head.toString('latin1', 0, 6)
  if (start === 'GIF87a' || start === 'GIF89a') return 'image/gif'
  if (start.startsWith('RIFF') && head.toString('latin1', 8, 12) === 'WEBP') return 'image/webp'
  return undefined
}

/**
 * Reads type and size from the header without decoding the image. Own code, because image-size 2.1 walks a JPEG byte by
 * byte where its segments do not meet: a forged one of 10 MB blocks the process for a second.
 * @returns undefined when it is not an image of the four types, or its header is broken
 */
export function readImageHeader(bytes: Buffer): ImageHeader | undefined {
  const mime_type = imageType(bytes)
  if (!mime_type) return undefined
  const size = readers[mime_type](bytes)
  return size && size.width > 0 && size.height > 0 ? { mime_type, ...size } : undefined
}

type Size = Pick<ImageHeader, 'width' | 'height'>

const readers: Record<ImageHeader['mime_type'], (bytes: Buffer) => Size | undefined> = {
  'image/png': readPng,
  'image/gif': readGif,
  'image/webp': readWebp,
  'image/jpeg': readJpeg,
}

function readPng(bytes: Buffer): Size | undefined {
  if (bytes.length < 24 || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

function readGif(bytes: Buffer): Size | undefined {
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
}

function readWebp(bytes: Buffer): Size | undefined {
  if (bytes.length < 30) return undefined
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    case 'VP8L': {
      if (bytes[20] !== 0x2f) return undefined
      const bits = bytes.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8 ':
      if (bytes.readUIntBE(23, 3) !== 0x9d012a) return undefined
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    default:
      return undefined
  }
}

/** SOF markers; C4, C8 and CC have other meanings. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** Markers that have no length after them. */
const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)

/** Photos have a few dozen segments before their frame; a file of four-byte segments is not walked to its end. */
const MAX_SEGMENTS = 2_000

function readJpeg(bytes: Buffer): Size | undefined {
  let at = 2
  for (let segment = 0; segment < MAX_SEGMENTS && at + 9 <= bytes.length; segment += 1) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) at += 1
    else if (isBare(marker)) at += 2
    else if (isFrame(marker)) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    else if (marker === 0xd9 || marker === 0xda) return undefined
    else at += 2 + Math.max(2, bytes.readUInt16BE(at + 2))
  }
  return undefined
}
