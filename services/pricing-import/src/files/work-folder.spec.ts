import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { makeFolder, removeLeftFolders, requireDiskSpace } from './work-folder.js'

let place = ''
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'partsbus-folders-'))
})
afterAll(() => rmSync(place, { recursive: true }))

function left(name: string): string {
  const folder = join(place, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'file'), 'x')
  return folder
}

it('what killed processes left is removed, and nothing of those that live or of others', async () => {
  const dead = spawnSync(process.execPath, ['-e', '']).pid
  const gone = [left(`partsbus-file-${dead}-a`), left(`price-file-${dead}-b`), left(`partsbus-file-${process.pid}-c`)]
  const kept = [left(`partsbus-file-${process.ppid}-d`), left('partsbus-file-x'), left(`other-${dead}-e`)]
  await removeLeftFolders(place)
  expect([...gone, ...kept].filter((folder) => existsSync(folder))).toEqual(kept)
})

it('folders carry the name by which they are found', async () => {
  const folder = await makeFolder()
  const copy = left(basename(folder))
  rmSync(folder, { recursive: true })
  await removeLeftFolders(place)
  expect(existsSync(copy)).toBe(false)
})

it('a file is refused before it fills the disk', async () => {
  await requireDiskSpace(place, 1)
  await expect(requireDiskSpace(place, 1e15)).rejects.toMatchObject({ code: 'ENOSPC' })
})
