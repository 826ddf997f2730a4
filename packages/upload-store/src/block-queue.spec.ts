import { describe, expect, it } from '@jest/globals'
import { BlockQueue } from './block-queue.js'

const KIB = 1024
const MIB = 1024 * KIB

async function sizesOf(queue: BlockQueue): Promise<number[]> {
  const sizes: number[] = []
  for await (const block of queue) sizes.push(Buffer.concat(block).length)
  return sizes
}

describe('blocks of a document', () => {
  const cases: Array<[pieces: number[], blocks: number[]]> = [
    [[], []],
    [[1], [1]],
    [[MIB], [MIB]],
    [[MIB - 1, 1], [MIB]],
    [
      [MIB - 1, 2],
      [MIB, 1],
    ],
    [
      [700 * KIB, 700 * KIB, 700 * KIB],
      [MIB, MIB, 52 * KIB],
    ],
    [[3 * MIB + 5], [MIB, MIB, MIB, 5]],
  ]
  it.each(cases)('pieces of %j bytes make blocks of %j', async (pieces, blocks) => {
    const queue = new BlockQueue(() => undefined)
    for (const size of pieces) queue.push(Buffer.alloc(size))
    queue.end()
    expect(await sizesOf(queue)).toEqual(blocks)
  })

  it('contain the bytes in order', async () => {
    const bytes = Buffer.from(Array.from({ length: 2 * MIB + 17 }, (_, at) => (at * 7 + (at >> 9)) % 251))
    const queue = new BlockQueue(() => undefined)
    for (let at = 0; at < bytes.length; at += 65_521) queue.push(bytes.subarray(at, at + 65_521))
    queue.end()
    const blocks: Buffer[] = []
    for await (const block of queue) blocks.push(Buffer.concat(block))
    expect(Buffer.concat(blocks).equals(bytes)).toBe(true)
  })

  it('pause the sender at 2 MiB, and resume when a block is read', async () => {
    let rooms = 0
    const queue = new BlockQueue(() => {
      rooms += 1
    })
    expect(queue.push(Buffer.alloc(2 * MIB - 1))).toBe(true)
    expect(queue.push(Buffer.alloc(1))).toBe(false)
    expect(rooms).toBe(0)
    await queue[Symbol.asyncIterator]().next()
    expect(rooms).toBe(1)
    expect(queue.push(Buffer.alloc(1))).toBe(true)
  })

  it('end with the error, also when a reader is waiting', async () => {
    const queue = new BlockQueue(() => undefined)
    const waiting = queue[Symbol.asyncIterator]().next()
    queue.fail(new Error('cut off'))
    await expect(waiting).rejects.toThrow('cut off')
    await expect(sizesOf(queue)).rejects.toThrow('cut off')
  })
})
