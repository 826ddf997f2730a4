import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import { FolderReader } from './folder-reader.js'
import { FolderWriter } from './folder-writer.js'
import type { Block } from './upload-writer.js'

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
    const name = await new FolderWriter(folder).put(blocks(...many, [Buffer.from('end')]))
    expect(readFileSync(join(folder, name)).equals(Buffer.concat([...pieces, Buffer.from('end')]))).toBe(true)
  })

  it('is made when it is not there, and an empty document is a file', async () => {
    const name = await new FolderWriter(join(folder, 'a', 'b')).put(blocks())
    expect(readFileSync(join(folder, 'a', 'b', name))).toHaveLength(0)
  })

  it('keeps nothing of a document that breaks off', async () => {
    const broken = (async function* () {
      yield [Buffer.alloc(MIB)]
      expect(readdirSync(folder)).toHaveLength(1)
      throw new Error('cut off')
    })()
    await expect(new FolderWriter(folder).put(broken)).rejects.toThrow('cut off')
    expect(readdirSync(folder)).toEqual([])
  })

  it('that is no folder fails', async () => {
    writeFileSync(join(folder, 'file'), '')
    await expect(new FolderWriter(join(folder, 'file')).put(blocks([Buffer.from('a')]))).rejects.toThrow(
      /EEXIST|ENOTDIR/,
    )
  })

  it('is read by the other half, and by nothing but a name that a writer gave', async () => {
    const name = await new FolderWriter(folder).put(blocks([Buffer.from('abc')]))
    const reader = new FolderReader(folder)
    expect(await reader.fetch(name)).toEqual({ path: join(folder, name), size: 3 })
    expect(await reader.fetch(`../${name}`)).toBeUndefined()
    reader.drop(name)
    expect(await waitUntil(() => readdirSync(folder).length === 0, { withinMs: 20_000 })).toBe(true)
    expect(await reader.fetch(name)).toBeUndefined()
  })

  it('deletes a dropped upload, and ignores a second drop', async () => {
    const place = new FolderWriter(folder)
    const name = await place.put(blocks([Buffer.from('a')]))
    place.drop(name)
    expect(await waitUntil(() => readdirSync(folder).length === 0, { withinMs: 20_000 })).toBe(true)
    place.drop(name)
  })

  it.each([
    ['ahead', 2],
    ['behind', -2],
  ])(
    'deletes what is older than an hour by the clock of the file system, when its own is hours %s',
    async (_, hours) => {
      const [recent, old] = [await new FolderWriter(folder).put(blocks()), await new FolderWriter(folder).put(blocks())]
      const hour = 3_600
      const written = statSync(join(folder, recent)).mtimeMs / 1_000
      utimesSync(join(folder, old), written - hour - 60, written - hour - 60)
      const clock = jest.spyOn(Date, 'now').mockReturnValue((written + hours * hour) * 1_000)
      await new FolderReader(folder).sweep()
      clock.mockRestore()
      expect(readdirSync(folder)).toEqual([recent])
    },
  )
})
