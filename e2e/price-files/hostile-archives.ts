import { crc32 } from 'node:zlib'

export interface RarMember {
  name: string
  content: Buffer
  /** the claimed size; undefined for an unknown size */
  claimed?: number | undefined
  /** power of two above 128 KiB of the dictionary that unpacking needs */
  dictionary?: number
}

/** A RAR 5 archive of stored members. */
export function claimRar(members: RarMember[]): Buffer {
  const blocks = members.flatMap(({ name, content, claimed, dictionary = 0 }) => {
    const called = Buffer.from(name)
    const checksum = uint32(crc32(content))
    // file flags: 4 a checksum is there, 8 the size is not known; compression: method and dictionary
    const flags = 4 | (claimed === undefined ? 8 : 0)
    const compression = dictionary > 0 ? (3 << 7) | (dictionary << 10) : 0
    const head = Buffer.concat([
      vint(2),
      vint(2),
      vint(content.length),
      vint(flags),
      vint(claimed ?? 0),
      vint(0o644),
      checksum,
      vint(compression),
      vint(1),
      vint(called.length),
      called,
    ])
    return [rarBlock(head), content]
  })
  return Buffer.concat([
    Buffer.from('Rar!\x1a\x07\x01\x00', 'latin1'),
    rarBlock(Buffer.from([1, 0, 0])),
    ...blocks,
    rarBlock(Buffer.from([5, 0, 0])),
  ])
}

function rarBlock(body: Buffer): Buffer {
  const sized = Buffer.concat([vint(body.length), body])
  return Buffer.concat([uint32(crc32(sized)), sized])
}

/** A variable-length integer: seven bits per byte, the low ones first. */
function vint(value: number): Buffer {
  const bytes: number[] = []
  let left = value
  do {
    bytes.push((left % 128) | (left > 127 ? 128 : 0))
    left = Math.floor(left / 128)
  } while (left > 0)
  return Buffer.from(bytes)
}

function uint32(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32LE(value)
  return buffer
}
