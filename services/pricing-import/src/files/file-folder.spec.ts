import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { FileFolder } from './file-folder.js'

let place: string
let folder: string
let source: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'partsbus-file-folder-'))
  folder = join(place, 'files')
  source = join(place, 'source')
  writeFileSync(source, 'brand;article\nBOSCH;0986\n')
})
afterEach(() => rmSync(place, { recursive: true }))

describe('a folder of files', () => {
  it('keeps a file when its source is gone, and says its size', async () => {
    const files = new FileFolder(folder)
    expect(await files.take(7, source)).toBe(25)
    rmSync(source)
    expect(readdirSync(folder)).toEqual(['7'])
    expect((await files.read(7, 0, 1_000)).toString()).toBe('brand;article\nBOSCH;0986\n')
    expect((await files.read(7, 14, 5)).toString()).toBe('BOSCH')
    expect(await files.read(7, 25, 5)).toHaveLength(0)
  })

  it('moves no bytes on one file system', async () => {
    await new FileFolder(folder).take(7, source)
    expect(statSync(join(folder, '7')).ino).toBe(statSync(source).ino)
  })

  it('replaces what an earlier database, or a half-done taking, left under the number', async () => {
    mkdirSync(folder)
    for (const name of ['7', '7.new']) writeFileSync(join(folder, name), 'old')
    const files = new FileFolder(folder)
    await files.take(7, source)
    expect((await files.read(7, 0, 5)).toString()).toBe('brand')
    expect(readdirSync(folder)).toEqual(['7'])
  })

  it('hands out a file that stays when it is deleted here', async () => {
    const files = new FileFolder(folder)
    await files.take(7, source)
    const copy = join(place, 'copy')
    writeFileSync(copy, 'what stood there before')
    await files.copyTo(7, copy)
    await files.delete(7)
    expect(readFileSync(copy, 'utf8')).toBe('brand;article\nBOSCH;0986\n')
    expect(readdirSync(folder)).toEqual([])
    await files.delete(7)
  })

  it('says so when a file is not there', async () => {
    const files = new FileFolder(folder)
    await expect(files.copyTo(9, join(place, 'copy'))).rejects.toThrow('ENOENT')
    await expect(files.read(9, 0, 1)).rejects.toThrow('ENOENT')
    await expect(files.take(9, join(place, 'nothing'))).rejects.toThrow('ENOENT')
  })
})
