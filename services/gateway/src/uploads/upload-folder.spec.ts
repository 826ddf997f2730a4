import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import { UploadFolder } from './upload-folder.js'
import type { Block } from './upload-place.js'

const MIB = 1024 * 1024

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'partsbus-upload-folder-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

async function* blocks(...all: Block[]): AsyncGenerator<Block> {
  yield* all
}

describe('a folder of uploads', () => {
  it('keeps a document byte by byte, its last block too', async () => {
    const pieces = Array.from({ length: 40 }, () => randomBytes(MIB / 2))
    const many = pieces.flatMap((piece, at) => (at % 2 === 0 ? [[piece, pieces[at + 1] ?? Buffer.alloc(0)]] : []))
    const name = await new UploadFolder(folder).put(blocks(...many, [Buffer.from('end')]))
    expect(readFileSync(join(folder, name)).equals(Buffer.concat([...pieces, Buffer.from('end')]))).toBe(true)
  })

  it('is made when it is not there, and an empty document is a file', async () => {
    const name = await new UploadFolder(join(folder, 'a', 'b')).put(blocks())
    expect(readFileSync(join(folder, 'a', 'b', name))).toHaveLength(0)
  })

  it('keeps nothing of a document that breaks off', async () => {
    const broken = (async function* () {
      yield [Buffer.alloc(MIB)]
      expect(readdirSync(folder)).toHaveLength(1)
      throw new Error('cut off')
    })()
    await expect(new UploadFolder(folder).put(broken)).rejects.toThrow('cut off')
    expect(readdirSync(folder)).toEqual([])
  })

  it('that is no folder fails', async () => {
    writeFileSync(join(folder, 'file'), '')
    await expect(new UploadFolder(join(folder, 'file')).put(blocks([Buffer.from('a')]))).rejects.toThrow(
      /EEXIST|ENOTDIR/,
    )
  })

  it('forgets what was dropped, and a second time', async () => {
    const place = new UploadFolder(folder)
    const name = await place.put(blocks([Buffer.from('a')]))
    place.drop(name)
    expect(await waitUntil(() => readdirSync(folder).length === 0, { withinMs: 5_000 })).toBe(true)
    place.drop(name)
  })
})
