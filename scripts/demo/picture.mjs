// @ts-check
import { crc32, deflateSync } from 'node:zlib'

const SIZE = 480

/**
 * Draws a square PNG: a part seen from above, as rings or bars on a plain ground.
 * @param {{kind: 'rings' | 'bars' | 'cells', colour: [number, number, number]}} look
 * @returns {Buffer}
 */
export function drawPicture({ kind, colour }) {
  const rows = Buffer.alloc((SIZE * 3 + 1) * SIZE)
  for (let y = 0; y < SIZE; y += 1) {
    for (let x = 0; x < SIZE; x += 1) {
      const shade = shadeAt(kind, x, y)
      const at = y * (SIZE * 3 + 1) + 1 + x * 3
      for (const [channel, value] of colour.entries())
        rows[at + channel] = shade === undefined ? 246 : Math.min(255, value * shade)
    }
  }
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header()),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** How bright a point is, or undefined for the ground. @param {string} kind @param {number} x @param {number} y */
function shadeAt(kind, x, y) {
  const radius = Math.hypot(x - SIZE / 2, y - SIZE / 2)
  if (kind === 'rings') return radius < 200 && radius > 50 ? 0.75 + 0.25 * Math.cos(radius / 7) : undefined
  const inside = x > 60 && x < SIZE - 60 && y > 100 && y < SIZE - 100
  if (!inside) return undefined
  if (kind === 'bars') return x % 40 < 28 ? 1 : 0.6
  return x % 48 < 6 || y % 48 < 6 ? 0.5 : 1 - radius / 900
}

function header() {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(SIZE, 0)
  data.writeUInt32BE(SIZE, 4)
  // eight bits a channel, red green blue
  data.set([8, 2, 0, 0, 0], 8)
  return data
}

/** @param {string} type @param {Buffer} data */
function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(body.length + 8)
  frame.writeUInt32BE(data.length, 0)
  body.copy(frame, 4)
  frame.writeUInt32BE(crc32(body), body.length + 4)
  return frame
}
