import { describe, expect, it } from '@jest/globals'
import { readerMemoryMb } from './reader-memory.js'

const GIB = 1024 ** 3

describe('the memory of a reader', () => {
  it.each([
    ['is 512 MB without a limit', 0, 512],
    ['is 512 MB where the system reports no real limit', 2 ** 63, 512],
    ['is 512 MB where all readers fit', 8 * GIB, 512],
    ['is an equal share of what the service and its threads leave', 3.5 * GIB, 320],
  ])('%s', (_what, limit, mb) => {
    expect(readerMemoryMb({ limit, heap: GIB, othersMb: 512, readers: 6 })).toBe(mb)
  })

  it('is refused where the share is too small to read anything', () => {
    expect(() => readerMemoryMb({ limit: 1.5 * GIB, heap: GIB, othersMb: 512, readers: 6 })).toThrow(
      'a memory limit of 1536 MB is too small for 6 readers of files: 2432 MB are needed',
    )
  })
})
