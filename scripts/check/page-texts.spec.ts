import { describe, expect, it } from '@jest/globals'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const SOURCE = join(import.meta.dirname, '../../apps/admin/src')
const FEATURES = ['audit', 'catalog', 'changes', 'imports', 'people', 'priceLists', 'search', 'setUp', 'sources']

const read = (path: string) => readFileSync(path, 'utf8')

/** The modules of a page, by following its relative imports. */
function modulesOf(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found
  found.add(path)
  for (const [, name = ''] of read(path).matchAll(/from '(\.[^']*)\.js'/g)) {
    const module = ['.ts', '.tsx'].map((end) => join(dirname(path), name + end)).find((file) => existsSync(file))
    if (module !== undefined && !module.includes('/texts/')) modulesOf(module, found)
  }
  return found
}

/** Where `t` is a part of the texts, its properties are none of them. */
function uses(text: string, feature: string): boolean {
  const names = /const t = useTexts\(\)\./.test(text) ? 'useTexts\\(\\)' : '(t|useTexts\\(\\))'
  return new RegExp(`\\b${names}\\.${feature}\\b`).test(text)
}

const pages = [...read(join(SOURCE, 'routes.tsx')).matchAll(/import\('\.\/([^']*)\.js'\),\s*'\w+'([^)]*)\)/g)].map(
  ([, module = '', features = '']): [page: string, features: string[]] => [module, features.match(/\w+/g) ?? []],
)

describe('the texts that a page loads', () => {
  it('are looked for on every page', () => {
    expect(pages.length).toBeGreaterThan(20)
  })

  it.each(pages)('of %s are those that it uses', (page, features) => {
    const texts = [...modulesOf(join(SOURCE, `${page}.tsx`))].map(read)
    const used = FEATURES.filter((feature) => texts.some((text) => uses(text, feature)))
    expect(features.toSorted()).toEqual(used)
    // page-sizes.mjs counts with two
    expect(features.length).toBeLessThanOrEqual(2)
  })
})
