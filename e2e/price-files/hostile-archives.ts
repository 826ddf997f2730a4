import { constants, crc32, deflateRawSync } from 'node:zlib'

/** The directory entry of a ZIP member, true or not. */
export interface ClaimedMember {
  name: string
  /** packed by deflate */
  packed: Buffer
  size: number
  checksum?: number
  /** of the system that packed it: `0o120777` is a link */
  mode?: number
}

const DEFLATED = 8

/** A ZIP with the claimed directory. @param count the claimed number of members */
export function claimZip(members: ClaimedMember[], count = members.length): Buffer {
  const local: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, packed, size, checksum = 0, mode = 0o100644 } of members) {
    const called = Buffer.from(name)
    // version, flags, method, time and date, checksum, sizes, lengths of the name and of the extra field
    const facts = numbers(
      [20, 2],
      [0x0800, 2],
      [DEFLATED, 2],
      [0x210000, 4],
      [checksum, 4],
      [packed.length, 4],
      [size, 4],
      [called.length, 2],
      [0, 2],
    )
    const entry = Buffer.concat([Buffer.from('PK\x03\x04'), facts, called, packed])
    directory.push(
      Buffer.concat([
        Buffer.from('PK\x01\x02'),
        numbers([0x0314, 2]),
        facts,
        numbers([0, 2], [0, 2], [0, 2], [(mode << 16) >>> 0, 4], [offset, 4]),
        called,
      ]),
    )
    local.push(entry)
    offset += entry.length
  }
  const index = Buffer.concat(directory)
  return Buffer.concat([
    ...local,
    index,
    Buffer.from('PK\x05\x06'),
    numbers([0, 4], [count, 2], [count, 2], [index.length, 4], [offset, 4], [0, 2]),
  ])
}

/** A member with true sizes and checksum. */
export function member(name: string, content: string | Buffer): ClaimedMember {
  const bytes = Buffer.from(content)
  return { name, packed: deflateRawSync(bytes), size: bytes.length, checksum: crc32(bytes) }
}

/** Compresses many repetitions of `unit` without building them in memory. */
export function packedTimes(unit: Buffer, times: number): Buffer {
  const piece = deflateRawSync(unit, { finishFlush: constants.Z_FULL_FLUSH })
  const end = deflateRawSync(Buffer.alloc(0))
  return Buffer.concat([...Array.from({ length: times }, () => piece), end])
}

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
    const checksum = numbers([crc32(content), 4])
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
  return Buffer.concat([numbers([crc32(sized), 4]), sized])
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

/** Little-endian integers of the given widths. */
function numbers(...list: ReadonlyArray<readonly [value: number, bytes: number]>): Buffer {
  return Buffer.concat(
    list.map(([value, bytes]) => {
      const buffer = Buffer.alloc(bytes)
      buffer.writeUIntLE(value, 0, bytes)
      return buffer
    }),
  )
}
