import { describe, expect, it } from '@jest/globals'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** The texts of the pages in a language; a parameter reads `B`, like a column. */
function textsOf(language: string): Set<string> {
  const folder = join(ROOT, 'apps/admin/src/texts', language)
  const source = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  return new Set(
    [...source.join('\n').matchAll(/'([^'\n]*)'|`([^`]*)`/g)].map(([, text, template = '']) =>
      (text ?? template).replaceAll(/\$\{\w+\}/g, 'B'),
    ),
  )
}

describe('what a guide names in bold is what the pages show', () => {
  for (const guide of ['pages', 'price-lists']) {
    it.each([
      ['en', `${guide}.md`],
      ['ru', `${guide}.ru.md`],
    ])('in %s: %s', (language, page) => {
      const texts = textsOf(language)
      const text = readFileSync(join(ROOT, 'docs/guides', page), 'utf8').replaceAll(/`[^`\n]*`/g, '')
      const bold = [...text.matchAll(/\*\*([^*\n]+)\*\*/g)].map(([, label = '']) => label)
      // a sentence in bold ends with its full stop
      const named = bold.filter((label) => !label.endsWith('.'))
      expect(named.length).toBeGreaterThan(10)
      expect(named.filter((label) => !texts.has(label))).toEqual([])
    })
  }
})
