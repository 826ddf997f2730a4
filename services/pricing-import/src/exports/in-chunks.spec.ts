import { describe, expect, it } from '@jest/globals'
import { inChunks } from './in-chunks.js'

async function chunksOf(...pieces: string[]): Promise<string[]> {
  const given = async function* () {
    yield* pieces.map((piece) => Buffer.from(piece))
  }
  const chunks: string[] = []
  for await (const chunk of inChunks(given(), 4)) chunks.push(Buffer.from(chunk).toString())
  return chunks
}

describe('the chunks of an export', () => {
  const cases: Array<[pieces: string[], chunks: string[]]> = [
    [[], []],
    [[''], []],
    [['ab'], ['ab']],
    [['ab', 'cd'], ['abcd']],
    [
      ['ab', '', 'cde'],
      ['abcd', 'e'],
    ],
    [['abcdefghij'], ['abcd', 'efgh', 'ij']],
  ]
  it.each(cases)('%j become %j', async (pieces, chunks) => {
    expect(await chunksOf(...pieces)).toEqual(chunks)
  })
})
