import { describe, expect, it } from '@jest/globals'
import { checkVersions, notesOf, setVersion } from './versions.mjs'

const file = (path: string, text: string) => ({ path, text, bytes: text.length })
const CHANGELOG = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- More.\n\n## [0.1.0] - 2026-11-21\n\nThe first.\n'
const BASE = 'images:\n  - { name: partsbus/stock, newTag: 0.1.0 }\n'
const tree = [
  file('package.json', '{\n  "name": "partsbus",\n  "version": "0.1.0",\n  "engines": {}\n}\n'),
  file('packages/cli/package.json', '{\n  "version": "0.0.0"\n}\n'),
  file('deploy/kubernetes/base/kustomization.yaml', BASE),
  file('deploy/kubernetes/base/provision/kustomization.yaml', 'nameSuffix: -0-1-0\n'),
  file(
    'deploy/kubernetes/rendered/small.yaml',
    '  name: provision-0-1-0\n  name: migrate-supplier-search-0-1-0\n' +
      '        image: partsbus/stock:0.1.0\n  image: nats:2.14\n',
  ),
  file('CHANGELOG.md', CHANGELOG),
]
const replaced = (path: string, from: string, to: string) =>
  tree.map((each) => (each.path === path ? file(path, each.text.replace(from, to)) : each))

describe('the check of versions', () => {
  it('has nothing against one version everywhere', () => {
    expect(checkVersions(tree)).toEqual([])
  })

  it.each([
    ['deploy/kubernetes/base/kustomization.yaml', '0.1.0', '0.0.9', 2, '0.0.9 instead of 0.1.0'],
    ['deploy/kubernetes/base/provision/kustomization.yaml', '0-1-0', '0-0-9', 1, '0-0-9 instead of 0-1-0'],
    ['deploy/kubernetes/rendered/small.yaml', 'search-0-1-0', 'search-0-0-9', 2, '0-0-9 instead of 0-1-0'],
    ['deploy/kubernetes/rendered/small.yaml', 'stock:0.1.0', 'stock:0.0.9', 3, '0.0.9 instead of 0.1.0'],
    ['CHANGELOG.md', '[0.1.0]', '[0.0.9]', 9, 'the newest version is 0.0.9 instead of 0.1.0'],
  ])('finds another one in %s', (path, from, to, line, message) => {
    expect(checkVersions(replaced(path, from, to))).toEqual([{ rule: 'version', path, line, message }])
  })
})

describe('a new version', () => {
  const changed = new Map(setVersion(tree, '0.2.0-rc.1', '2026-12-01').map(({ path, text }) => [path, text]))
  const next = tree.map(({ path, text }) => file(path, changed.get(path) ?? text))

  it('is set wherever the version stands, and nowhere else', () => {
    expect(checkVersions(next)).toEqual([])
    expect([...changed.keys()]).not.toContain('packages/cli/package.json')
    expect(changed.get('deploy/kubernetes/rendered/small.yaml')).toBe(
      '  name: provision-0-2-0-rc-1\n  name: migrate-supplier-search-0-2-0-rc-1\n' +
        '        image: partsbus/stock:0.2.0-rc.1\n  image: nats:2.14\n',
    )
  })

  it('heads what was unreleased in the changelog', () => {
    const changelog = changed.get('CHANGELOG.md') ?? ''
    expect(changelog).toContain('## [Unreleased]\n\n## [0.2.0-rc.1] - 2026-12-01\n\n### Added\n')
    expect(notesOf(changelog, '0.2.0-rc.1')).toBe('### Added\n\n- More.\n')
    expect(setVersion(next, '0.2.0-rc.1', '2026-12-02')).toEqual([])
  })

  it('has the form of one', () => {
    expect(() => setVersion(tree, 'v0.2', '2026-12-01')).toThrow('is no version')
    expect(() => notesOf(CHANGELOG, '0.3.0')).toThrow('no heading for 0.3.0')
  })
})
