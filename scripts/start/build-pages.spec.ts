import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buildPages, hashPages } from './build-pages.mjs'

let root: string
let said: string[]
const print = (text: string) => said.push(text)

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
const builds = () => (existsSync(join(root, 'builds')) ? readFileSync(join(root, 'builds'), 'utf8').length : 0)
/** A bundler that writes what a build has and counts its runs. */
const setBundler = (end: string) => {
  const program = 'apps/admin/node_modules/.bin/vite'
  write(program, `#!/bin/sh\nprintf x >> ${root}/builds\nmkdir -p dist && ${end}\n`)
  chmodSync(join(root, program), 0o755)
}

beforeEach(() => {
  said = []
  root = mkdtempSync(join(tmpdir(), 'partsbus-build-pages-'))
  write('apps/admin/src/main.tsx', 'export {}')
  write('pnpm-lock.yaml', 'a')
  setBundler('touch dist/index.html')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

it('builds once, and says so', async () => {
  expect([await buildPages(root, print), await buildPages(root, print)]).toEqual([true, true])
  expect([builds(), said]).toEqual([1, ['Building the admin pages …']])
})

it('builds again after a change of a source, and after the output was removed', async () => {
  await buildPages(root, print)
  write('apps/admin/src/ui/button.css', 'a{}')
  await buildPages(root, print)
  rmSync(join(root, 'apps/admin/dist'), { recursive: true })
  await buildPages(root, print)
  expect(builds()).toBe(3)
})

it('does not build again for a changed spec', () => {
  const before = hashPages(root)
  write('apps/admin/src/ui/formats.spec.ts', 'it')
  expect(hashPages(root)).toBe(before)
})

it('fails with the bundler, and tries again', async () => {
  setBundler('exit 1')
  expect([await buildPages(root, print), await buildPages(root, print)]).toEqual([false, false])
  expect(builds()).toBe(2)
})
