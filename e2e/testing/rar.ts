import { crc32 } from 'node:zlib'

/** A RAR 5 archive whose members are stored as they are. A folder is a member without content. */
export function makeRar(members: ReadonlyArray<readonly [name: string, content: string | null]>): Buffer {
  const signature = Buffer.from([0x52, 0x61, 0x72, 0x21, 0x1a, 0x07, 0x01, 0x00])
  const main = block(Buffer.concat([number(1), number(0), number(0)]))
  const end = block(Buffer.concat([number(5), number(0), number(0)]))
  return Buffer.concat([
    signature,
    main,
    ...members.flatMap(([name, content]) => memberBlocks(Buffer.from(name), content)),
    end,
  ])
}

function memberBlocks(name: Buffer, content: string | null): Buffer[] {
  const data = Buffer.from(content ?? '')
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32LE(crc32(data))
  // type 2: a file; flag 2: its data follow; file flags: 1 a folder, 4 a checksum is there; stored, written by Unix
  const head = Buffer.concat([
    number(2),
    number(2),
    number(data.length),
    number(content === null ? 5 : 4),
    number(data.length),
    number(0o644),
    checksum,
    number(0),
    number(1),
    number(name.length),
    name,
  ])
  return [block(head), data]
}

/** A header with its checksum and size in front. */
function block(body: Buffer): Buffer {
  const sized = Buffer.concat([number(body.length), body])
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32LE(crc32(sized))
  return Buffer.concat([checksum, sized])
}

/** A variable-length integer: seven bits per byte, the low ones first. */
function number(value: number): Buffer {
  const bytes: number[] = []
  let left = value
  do {
    bytes.push((left & 0x7f) | (left > 0x7f ? 0x80 : 0))
    left >>>= 7
  } while (left > 0)
  return Buffer.from(bytes)
}
