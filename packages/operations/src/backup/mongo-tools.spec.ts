import { afterAll, expect, it } from '@jest/globals'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Databases } from './open-databases.js'
import { assertMayReplay, assertNoOthers, runMongoTool, withoutUsers } from './mongo-tools.js'

const folder = mkdtempSync(join(tmpdir(), 'partsbus-tools-'))
afterAll(() => rmSync(folder, { recursive: true }))

const url = 'mongodb://root:secret@db/?authSource=admin'
const env = { PATH: `${folder}:/usr/bin:/bin`, OUT: folder }

/** Puts a program with the name of the tool on the path. */
function install(script: string): void {
  writeFileSync(join(folder, 'mongodump'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}

it('passes the address in a file of the user alone, not in the arguments', async () => {
  install('echo "$@" > "$OUT/args"; cat "${1#--config=}" > "$OUT/config"; stat -c %a "${1#--config=}" >> "$OUT/config"')
  await runMongoTool('mongodump', { url, args: ['--oplog', '--gzip'], env }, () => undefined)
  expect(readFileSync(join(folder, 'args'), 'utf8')).toMatch(/^--config=\S+ --oplog --gzip\n$/)
  expect(readFileSync(join(folder, 'config'), 'utf8')).toBe(`uri: "${url}"\n600\n`)
})

it('fails with the last lines of the program', async () => {
  install('echo "dumping" >&2; echo "Failed: error dumping oplog" >&2; exit 1')
  const lines: string[] = []
  await expect(runMongoTool('mongodump', { url, args: [], env }, (line) => lines.push(line))).rejects.toThrow(
    'mongodump failed: it ended with code 1.\ndumping\nFailed: error dumping oplog',
  )
  expect(lines).toEqual(['dumping', 'Failed: error dumping oplog'])
})

it('restores no users: they would replace the one that replays the oplog', async () => {
  const dump = join(folder, 'dump')
  for (const database of ['admin', 'partsbus_stock']) mkdirSync(join(dump, database), { recursive: true })
  writeFileSync(join(dump, 'oplog.bson'), 'log')
  await withoutUsers(dump, async (path) => {
    expect(readdirSync(path).sort()).toEqual(['oplog.bson', 'partsbus_stock'])
    expect(readFileSync(join(path, 'oplog.bson'), 'utf8')).toBe('log')
  })
  expect(readdirSync(dump).sort()).toEqual(['admin', 'oplog.bson', 'partsbus_stock'])
})

it('refuses a user who may not replay an oplog', async () => {
  const open = (users: string[], actions: string[]): Databases => {
    const authInfo = {
      authenticatedUsers: users.map((user) => ({ user })),
      authenticatedUserPrivileges: [{ resource: { anyResource: true }, actions }],
    }
    const db = { admin: () => ({ command: async () => ({ authInfo }) }) }
    return new Map([['administration', { db }]]) as unknown as Databases
  }
  await expect(assertMayReplay(open(['root'], ['find', 'insert']))).rejects.toThrow('may not replay an oplog')
  await assertMayReplay(open(['root'], ['anyAction']))
  await assertMayReplay(open([], []))
})

it('names the missing program', async () => {
  await expect(runMongoTool('mongorestore', { url, args: [], env: { PATH: folder } }, () => undefined)).rejects.toThrow(
    'mongorestore is not on PATH. Install the MongoDB Database Tools of your MongoDB.',
  )
})

it('refuses a server that other programs use, too', () => {
  const own = ['partsbus_gateway', 'partsbus_catalog']
  expect(() => assertNoOthers(['admin', 'config', 'local', ...own], own)).not.toThrow()
  expect(() => assertNoOthers(['admin', ...own, 'shop', 'wiki'], own)).toThrow(
    'The server has databases of other programs, which a restore would set back: shop, wiki. Use --method dump.',
  )
})
