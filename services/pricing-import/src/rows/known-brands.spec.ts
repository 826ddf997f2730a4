import { describe, expect, it } from '@jest/globals'
import { cpuMs } from '@partsbus/test-kit/durations'
import { KnownBrands } from './known-brands.js'

const known = new KnownBrands([
  { canonical: 'NOKIAN TYRES', synonyms: ['Nokian', 'Нокиан'] },
  { canonical: 'BILSTEIN', synonyms: [] },
  { canonical: 'FEBI', synonyms: ['Febi Bilstein'] },
  { canonical: 'A-PLUS', synonyms: ['Aplus'] },
  { canonical: 'X', synonyms: [] },
  { canonical: 'НК-Шина', synonyms: [] },
])

describe('a known brand in a name (admin.md#known-brands)', () => {
  it.each([
    ['in any case, by its canonical name', 'Шина nokian Hakka Green3', 'NOKIAN TYRES'],
    ['in any script', 'Автошина НОКИАН 175/65', 'NOKIAN TYRES'],
    ['between signs', '175/65 R14 (Nokian) XL', 'NOKIAN TYRES'],
    ['with other signs between its words', 'Шина A PLUS/A502', 'A-PLUS'],
    ['the longest', 'Амортизатор FEBI BILSTEIN 22', 'FEBI'],
    ['the first of equal ones', 'aplus nokian', 'NOKIAN TYRES'],
    ['not as a part of a word', 'Нокианы nokiantyres', ''],
    ['not a single letter', 'Tyre X 14', ''],
    ['none', 'Камера 12.4-16', ''],
    ['none in no name', '', ''],
    ['not beyond the characters that are looked at', `${'x '.repeat(250)}Nokian`, ''],
  ])('is found: %s', (_, name, brand) => {
    expect(known.find(name)).toBe(brand)
  })

  it('takes the same time however many brands are known and whatever the name contains', async () => {
    const spelling = (at: number) => `BRAND ${at} A B C`
    const many = new KnownBrands(Array.from({ length: 10_000 }, (_, at) => ({ canonical: spelling(at), synonyms: [] })))
    const names = ['BRAND '.repeat(20_000), 'a '.repeat(50_000), '\u0301'.repeat(100_000), 'x'.repeat(100_000)]
    const ms = await cpuMs(() => {
      for (let times = 0; times < 250; times += 1) for (const name of names) many.find(name)
    })
    expect(many.find('x brand 9999 a b c d')).toBe('BRAND 9999 A B C')
    expect(ms).toBeLessThan(3_000)
  })
})
