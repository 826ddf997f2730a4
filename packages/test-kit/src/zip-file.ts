import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'
import { zipDirectory, zipHeader } from './zip.js'

/**
 * Writes a ZIP of one file of up to 4 GB without having it in memory.
 * @param claimed size of the file in the directory; its true size by default
 */
export async function writeZip(path: string, name: string, content: Readable, claimed?: number): Promise<void> {
  const file = await open(path, 'w')
  try {
    const { length: start } = zipHeader({ name, packedSize: 0, size: 0 })
    let [checksum, size, packedSize] = [0, 0, 0]
    const deflate = createDeflateRaw({ level: 6 })
    content.on('data', (piece: Buffer) => {
      checksum = crc32(piece, checksum)
      size += piece.length
    })
    content.on('error', (error) => deflate.destroy(error))
    content.pipe(deflate)
    for await (const piece of deflate as AsyncIterable<Buffer>) {
      await file.write(piece, 0, piece.length, start + packedSize)
      packedSize += piece.length
    }
    const member = { name, packedSize, size: claimed ?? size, checksum }
    await file.write(zipHeader(member), 0, start, 0)
    const directory = zipDirectory([{ ...member, offset: 0 }], start + packedSize)
    await file.write(directory, 0, directory.length, start + packedSize)
  } finally {
    await file.close()
  }
}

/** @returns zero bytes */
export function* zeros(bytes: number): Generator<Buffer> {
  const piece = Buffer.alloc(1024 ** 2)
  for (let left = bytes; left > 0; left -= piece.length) yield left >= piece.length ? piece : piece.subarray(0, left)
}
