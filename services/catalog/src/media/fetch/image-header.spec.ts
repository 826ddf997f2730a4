import { describe, expect, it } from '@jest/globals'
import { png, pngHeader } from '@partsbus/test-kit/png'
import { cpuMs } from '@partsbus/test-kit/durations'
import { imageType, readImageHeader } from './image-header.js'

const bytes = (hex: string, length = 0): Buffer =>
  Buffer.concat([Buffer.from(hex.replaceAll(' ', ''), 'hex'), Buffer.alloc(length)])

const gif = Buffer.concat([Buffer.from('GIF89a'), bytes('4001 f000', 20)])
const webp = (kind: string, rest: string): Buffer =>
  Buffer.concat([
    Buffer.from('RIFF'),
    bytes('24000000'),
    Buffer.from(`WEBP${kind}`),
    bytes('18000000'),
    bytes(rest, 20),
  ])
const frame = (marker: string): string => `ff${marker} 0011 08 00c8 0140 03 012200 021101 031101`
const jpeg = (...segments: string[]): Buffer => bytes(`ffd8 ${segments.join('')}`, 20)

describe('the header of an image (rules.md#images-limits)', () => {
  it.each([
    ['PNG', png(0, 7, 5), 'image/png', 7, 5],
    ['PNG of 60,000 by 60,000', pngHeader(60_000, 60_000), 'image/png', 60_000, 60_000],
    ['GIF', gif, 'image/gif', 320, 240],
    ['WebP, lossy', webp('VP8 ', '000000 9d012a 4001 f000'), 'image/webp', 320, 240],
    ['WebP, lossless', webp('VP8L', '2f 3fc13b00'), 'image/webp', 320, 240],
    ['WebP, extended', webp('VP8X', '00000000 3f0100 ef0000'), 'image/webp', 320, 240],
    ['JPEG', jpeg('ffe0 0010 4a46494600010100000100010000', frame('c0')), 'image/jpeg', 320, 200],
    [
      'JPEG, progressive, after an EXIF segment',
      jpeg(`ffe1 0100 ${'00'.repeat(254)}`, frame('c2')),
      'image/jpeg',
      320,
      200,
    ],
    ['JPEG with fill bytes', jpeg('ffff', frame('c1')), 'image/jpeg', 320, 200],
    ['JPEG with a Huffman table before its frame', jpeg('ffc4 0004 0000', frame('c0')), 'image/jpeg', 320, 200],
  ])('%s', (_name, file, mime_type, width, height) => {
    expect(readImageHeader(file)).toEqual({ mime_type, width, height })
  })

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['eleven bytes of a PNG', png().subarray(0, 11)],
    ['a PNG without its header', png().subarray(0, 20)],
    ['a PNG of no width', pngHeader(0, 5)],
    ['a PNG whose first chunk is another', bytes('89504e470d0a1a0a 0000000d 49444154', 20)],
    ['HTML', Buffer.from('<!doctype html><html><body>not found</body></html>')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
    ['SVG after an XML declaration', Buffer.from('<?xml version="1.0"?><svg/>')],
    ['PDF', Buffer.from('%PDF-1.7 and more')],
    ['ZIP', bytes('504b0304', 20)],
    ['BMP', Buffer.concat([Buffer.from('BM'), Buffer.alloc(30)])],
    ['TIFF', bytes('49492a00', 20)],
    ['AVIF', Buffer.concat([bytes('0000001c'), Buffer.from('ftypavif'), Buffer.alloc(20)])],
    ['a sound in RIFF', Buffer.concat([Buffer.from('RIFF0000WAVEfmt '), Buffer.alloc(20)])],
    ['WebP of an unknown kind', webp('ABCD', '00')],
    ['WebP, lossless, without its signature', webp('VP8L', '00 3fc13b00')],
    ['a JPEG without a frame', jpeg('ffd9')],
    ['a JPEG whose data begin before its frame', jpeg('ffda 0004 0000')],
    ['a JPEG whose segments do not meet', jpeg('ffe0 0010', '00'.repeat(40))],
    ['a JPEG cut off in its frame', bytes('ffd8 ffc0 0011 08 00c8 0140')],
  ])('%s is no image', (_name, file) => expect(readImageHeader(file)).toBeUndefined())

  it('reads a forged file of 10 MB quickly', async () => {
    const zeros = Buffer.concat([bytes('ffd8ff'), Buffer.alloc(10_000_000)])
    const segments = Buffer.concat([bytes('ffd8'), Buffer.alloc(10_000_000, bytes('ffe00002'))])
    const spent = await cpuMs(() => expect([zeros, segments].map(readImageHeader)).toEqual([undefined, undefined]))
    expect(spent).toBeLessThan(1_000)
  })
})

it('recognizes the type by the first twelve bytes', () => {
  expect(imageType(jpeg('ffe0'))).toBe('image/jpeg')
  expect(imageType(gif)).toBe('image/gif')
  expect(imageType(Buffer.from('GIF88a 0123456'))).toBeUndefined()
})
