import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPageSizes } from './page-sizes.mjs'

let root: string
const write = (name: string, bytes: number) => {
  writeFileSync(join(root, 'apps/admin/dist', name), '')
  writeFileSync(join(root, 'apps/admin/dist', `${name}.gz`), Buffer.alloc(bytes))
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'partsbus-page-sizes-'))
  mkdirSync(join(root, 'apps/admin/dist/assets'), { recursive: true })
  write('index.html', 400)
  write('app.js', 700)
  write('assets/main-0a.js', 149_300)
  write('assets/style-0a.css', 20_000)
  write('assets/ru-0a1b2c3d.js', 6_500)
  write('assets/ru-audit-0a1b2c3d.js', 1_000)
  write('assets/ru-sources-0a1b2c3d.js', 3_000)
  write('assets/ru-price-lists-0a1b2c3d.js', 4_000)
  write('assets/overview-page-0a.js', 35_000)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

it('accepts pages at their limits', () => {
  expect(checkPageSizes(root)).toEqual([])
})

it.each([
  ['app.js', 701, 'the entry has 150001 bytes'],
  ['assets/style-0a.css', 20_001, 'the style sheet has 20001 bytes'],
  ['assets/ru-0a1b2c3d.js', 6_501, 'the texts in ru has 13501 bytes'],
  ['assets/ru-sources-0a1b2c3d.js', 3_001, 'the texts in ru has 13501 bytes'],
  ['assets/overview-page-0a.js', 35_001, 'assets/overview-page-0a.js has 35001 bytes'],
])('refuses %s of %d bytes', (name, bytes, complaint) => {
  write(name, bytes)
  expect(checkPageSizes(root)).toEqual([expect.stringContaining(complaint)])
})

it('refuses an entry that needs another chunk', () => {
  writeFileSync(join(root, 'apps/admin/dist/assets/main-0a.js'), 'import{a}from"./state-0a.js";a()')
  expect(checkPageSizes(root)).toEqual([expect.stringContaining('loads other chunks before the first page')])
})

it('asks for a build', () => {
  rmSync(join(root, 'apps/admin/dist/index.html'))
  expect(checkPageSizes(root)).toEqual([expect.stringContaining('is not built')])
})
