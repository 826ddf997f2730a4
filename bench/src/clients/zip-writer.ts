import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

/**
 * Writes a ZIP of one deflated file of up to 4 GB with little memory; the writer of the test kit builds a
 * ZIP in memory.
 * @param claimed size of the file in the directory; its true size by default
 */
export async function writeZip(path: string, name: string, content: Readable, claimed?: number): Promise<void> {
  const file = await open(path, 'w')
  try {
    const nameBytes = Buffer.from(name)
    const start = 30 + nameBytes.length
    let crc = 0
    let size = 0
    let packed = 0
    const deflate = createDeflateRaw({ level: 6 })
    content.on('data', (piece: Buffer) => {
      crc = crc32(piece, crc)
      size += piece.length
    })
    content.on('error', (error) => deflate.destroy(error))
    content.pipe(deflate)
    for await (const piece of deflate as AsyncIterable<Buffer>) {
      await file.write(piece, 0, piece.length, start + packed)
      packed += piece.length
    }
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt16LE(0x5a21, 8)
    common.writeUInt32LE(crc, 10)
    common.writeUInt32LE(packed, 14)
    common.writeUInt32LE(claimed ?? size, 18)
    common.writeUInt16LE(nameBytes.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, nameBytes])
    const entry = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, Buffer.alloc(14), nameBytes])
    const end = Buffer.alloc(22)
    end.write('PK\x05\x06', 'latin1')
    end.writeUInt16LE(1, 8)
    end.writeUInt16LE(1, 10)
    end.writeUInt32LE(entry.length, 12)
    end.writeUInt32LE(start + packed, 16)
    await file.write(local, 0, local.length, 0)
    await file.write(Buffer.concat([entry, end]), 0, entry.length + end.length, start + packed)
  } finally {
    await file.close()
  }
}

/** @returns zero bytes */
export function* zeros(bytes: number): Generator<Buffer> {
  const piece = Buffer.alloc(1024 ** 2)
  for (let left = bytes; left > 0; left -= piece.length) yield left >= piece.length ? piece : piece.subarray(0, left)
}
