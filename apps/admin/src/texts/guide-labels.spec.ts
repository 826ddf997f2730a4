import { describe, expect, it } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { changes } from './en/changes.js'
import { imports } from './en/imports.js'
import { priceLists } from './en/price-lists.js'
import { setUp } from './en/set-up.js'
import { sources } from './en/sources.js'
import { changes as changesRu } from './ru/changes.js'
import { imports as importsRu } from './ru/imports.js'
import { priceLists as priceListsRu } from './ru/price-lists.js'
import { setUp as setUpRu } from './ru/set-up.js'
import { sources as sourcesRu } from './ru/sources.js'
import { en } from './en.js'
import { ru } from './ru.js'

/** Calls of texts with a parameter that a guide names. */
const labels = (texts: object, format: typeof priceLists.format): string[] => [
  ...strings(texts),
  format.putFirst('B'),
  format.placeholders(0),
]

const strings = (texts: unknown): string[] =>
  typeof texts === 'string' ? [texts] : Object.values(Object(texts)).flatMap(strings)

const LANGUAGES = {
  '.md': labels([en, changes, imports, priceLists, setUp, sources], priceLists.format),
  '.ru.md': labels([ru, changesRu, importsRu, priceListsRu, setUpRu, sourcesRu], priceListsRu.format),
}

describe('what a guide names in bold is what the pages show', () => {
  for (const guide of ['pages', 'price-lists']) {
    it.each(Object.entries(LANGUAGES))(`${guide}%s`, (ending, texts) => {
      const text = readFileSync(new URL(`../../../../docs/guides/${guide}${ending}`, import.meta.url), 'utf8')
      const bold = [...text.replaceAll(/`[^`\n]*`/g, '').matchAll(/\*\*([^*\n]+)\*\*/g)].map(([, label = '']) => label)
      // a sentence in bold ends with its full stop
      const named = bold.filter((label) => !label.endsWith('.'))
      expect(named.length).toBeGreaterThan(10)
      expect(named.filter((label) => !texts.includes(label))).toEqual([])
    })
  }
})
