import { constants, crc32, deflateRawSync } from 'node:zlib'

/** The directory entry of a ZIP member, true or not. */
export interface ClaimedMember {
  name: string
  /** packed by deflate */
  packed: Buffer
  size: number
  checksum?: number
  /** Unix file mode: `0o120777` is a symbolic link */
  mode?: number
}

const DEFLATED = 8
const UTF8_NAME = 0x0800
/** 1980-01-01, the first date that a ZIP can express, at 00:00 */
const EPOCH = 0x210000
/** version 2.0 of the format, written on Unix */
const MADE_BY = 0x0314
/** mode of an ordinary file */
const REGULAR = 0o100644

/** A ZIP of the given members, in order; a name that ends in a slash is a folder. */
export function makeZip(members: ReadonlyArray<readonly [name: string, content: string | Buffer]>): Buffer {
  return claimZip(members.map(([name, content]) => member(name, content)))
}

/** A ZIP with the claimed directory. @param count the claimed number of members */
export function claimZip(members: readonly ClaimedMember[], count = members.length): Buffer {
  const pieces: Buffer[] = []
  const entries: DirectoryEntry[] = []
  let offset = 0
  for (const { packed, ...rest } of members) {
    const entry = { ...rest, packedSize: packed.length, offset }
    const piece = Buffer.concat([zipHeader(entry), packed])
    entries.push(entry)
    pieces.push(piece)
    offset += piece.length
  }
  return Buffer.concat([...pieces, zipDirectory(entries, offset, count)])
}

interface DirectoryEntry extends Omit<ClaimedMember, 'packed'> {
  packedSize: number
  /** of its header in the file */
  offset: number
}

/** What stands before the bytes of a member. */
export const zipHeader = (entry: Omit<DirectoryEntry, 'offset'>): Buffer =>
  Buffer.concat([Buffer.from('PK\x03\x04'), fieldsOf(entry), Buffer.from(entry.name)])

/** What stands after the bytes of all members. @param offset where it begins */
export function zipDirectory(entries: readonly DirectoryEntry[], offset: number, count = entries.length): Buffer {
  const index = Buffer.concat(
    entries.flatMap((entry) => [
      Buffer.from('PK\x01\x02'),
      numbers([MADE_BY, 2]),
      fieldsOf(entry),
      numbers([0, 2], [0, 2], [0, 2], [((entry.mode ?? REGULAR) << 16) >>> 0, 4], [entry.offset, 4]),
      Buffer.from(entry.name),
    ]),
  )
  const end = numbers([0, 4], [count, 2], [count, 2], [index.length, 4], [offset, 4], [0, 2])
  return Buffer.concat([index, Buffer.from('PK\x05\x06'), end])
}

/** Version, flags, method, time and date, checksum, sizes, lengths of the name and of the extra field. */
const fieldsOf = ({ name, packedSize, size, checksum = 0 }: Omit<DirectoryEntry, 'offset'>): Buffer =>
  numbers(
    [20, 2],
    [UTF8_NAME, 2],
    [DEFLATED, 2],
    [EPOCH, 4],
    [checksum, 4],
    [packedSize, 4],
    [size, 4],
    [Buffer.byteLength(name), 2],
    [0, 2],
  )

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

/** Little-endian integers of the given widths. */
function numbers(...list: ReadonlyArray<readonly [value: number, bytes: 2 | 4]>): Buffer {
  return Buffer.concat(
    list.map(([value, bytes]) => {
      const buffer = Buffer.alloc(bytes)
      buffer.writeUIntLE(value, 0, bytes)
      return buffer
    }),
  )
}
