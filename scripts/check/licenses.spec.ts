import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { checkLicenses, isAllowed } from './licenses.mjs'

describe('a license', () => {
  it.each([
    ['MIT', true],
    ['(MIT OR GPL-3.0-or-later)', true],
    ['(MIT AND Zlib)', true],
    ['GPL-3.0-or-later', false],
    ['(MIT AND SSPL-1.0)', false],
    ['SEE LICENSE IN LICENSE.txt', false],
    ['none', false],
  ])('%s may ship: %s', (license, expected) => {
    expect(isAllowed(license)).toBe(expected)
  })
})

/** The stock needs `server`, which needs `parser`; `tester` is for tests. */
const LOCKFILE = `
importers:
  services/stock:
    dependencies:
      '@partsbus/platform': { specifier: 'workspace:*', version: link:../../packages/platform }
    devDependencies:
      tester: { specifier: 1.0.0, version: 1.0.0 }
  packages/platform:
    dependencies:
      server: { specifier: 2.0.0, version: 2.0.0(parser@3.0.0) }
  packages/test-kit:
    dependencies:
      tester: { specifier: 1.0.0, version: 1.0.0 }
snapshots:
  server@2.0.0(parser@3.0.0):
    dependencies: { '@scope/parser': 3.0.0 }
  '@scope/parser@3.0.0': {}
  tester@1.0.0: {}
`

describe('the check of licenses', () => {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'partsbus-licenses-'))
    write('pnpm-lock.yaml', LOCKFILE)
    install('server', '2.0.0', { license: 'MIT' })
    install('@scope/parser', '3.0.0', { license: 'ISC' })
    install('tester', '1.0.0', { license: 'GPL-3.0-only' })
    symlinkSync('../../server@2.0.0/node_modules/server', join(root, 'node_modules/.pnpm/tester@1.0.0/node_modules/x'))
  })
  afterEach(() => rmSync(root, { recursive: true }))

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const install = (name: string, version: string, manifest: object): void =>
    write(
      `node_modules/.pnpm/${name.replace('/', '+')}@${version}/node_modules/${name}/package.json`,
      JSON.stringify({ name, version, ...manifest }),
    )

  it('has nothing against what only tests use', () => {
    expect(checkLicenses(root)).toEqual([])
  })

  it.each([
    ['an unknown one', { license: 'Proprietary-1.0' }, 'Proprietary-1.0'],
    ['none', {}, 'none'],
    ['one in the form of old manifests', { licenses: [{ type: 'AGPL-3.0' }] }, 'AGPL-3.0'],
  ])('names a package behind another one with %s', (_what, manifest, shown) => {
    install('@scope/parser', '3.0.0', manifest)
    expect(checkLicenses(root)).toEqual([
      `@scope/parser@3.0.0  has the license "${shown}": see scripts/check/licenses.mjs`,
    ])
  })

  it('names a package that is compiled into the pages', () => {
    write(
      'apps/admin/dist/licenses.txt',
      '# Licenses\n\n## react - 19.3.1 (MIT)\n\ntext\n\n## charts - 1.0.0 (CC-BY-NC-4.0)\n',
    )
    expect(checkLicenses(root)).toEqual([
      'charts@1.0.0  has the license "CC-BY-NC-4.0": see scripts/check/licenses.mjs',
    ])
  })
})
