import { deflateSync, crc32 } from 'node:zlib'

/** A real PNG of one colour. Different seeds give different bytes. */
export function png(seed = 0, width = 2, height = 2): Buffer {
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, seed)])
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))
  return Buffer.concat([
    pngHeader(width, height),
    chunk('tEXt', Buffer.from(`seed\0${seed}`)),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Only the signature and the header, without pixels: enough for a limit on the size of an image. */
export function pngHeader(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', header)])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
