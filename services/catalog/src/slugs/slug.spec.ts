import { describe, expect, it } from '@jest/globals'
import { isSuffixedSlug, isUsableSlug, makeSlug, suffixedSlug } from './slug.js'
import { slugEntry, slugWish } from './slug-wish.js'

describe('generated slugs: transliterated, lower-case, `-` separated, at most 191 with suffix', () => {
  it.each([
    ['Steel Door 3000', 'steel-door-3000'],
    ['Дверь стальная «Форт» 2 мм', 'dver-stalnaya-fort-2-mm'],
    ['Щётка — ёлка', 'shchetka-elka'],
    ['  --Äpfel & Öl--  ', 'apfel-ol'],
    ["Driver's seat", 'drivers-seat'],
    ['Ａ１ ｆｕｌｌ', 'a1-full'],
    ['日本', 'riben'],
    ['!!!', ''],
    ['', ''],
  ])('%j → %j', (name, slug) => {
    expect(makeSlug(name)).toBe(slug)
  })

  it('is cut at 191, and never ends with a dash', () => {
    expect(makeSlug('a'.repeat(500))).toHaveLength(191)
    expect(makeSlug(`${'a'.repeat(190)} b`)).toBe('a'.repeat(190))
  })

  it('keeps 191 with the suffix, in code points', () => {
    expect(suffixedSlug('door', 2)).toBe('door-2')
    expect(suffixedSlug('a'.repeat(191), 12)).toBe(`${'a'.repeat(188)}-12`)
    expect([...suffixedSlug('𝒳'.repeat(191), 2)]).toHaveLength(191)
  })
})

describe('a sent slug of letters (any script), digits and `-_.~` is used as it is', () => {
  it.each(['door', 'Door_1.2~x', 'дверь-стальная', 'हिन्दी', 'я'.repeat(191), '...'])('%j is', (slug) => {
    expect(isUsableSlug(slug)).toBe(true)
  })
  it.each(['../../x', 'a b', '%00', 'a/b', '.', '..', 'a?b', 'a\nb', ''])('%j is not', (slug) => {
    expect(isUsableSlug(slug)).toBe(false)
  })
})

describe('isSuffixedSlug', () => {
  it.each([
    ['door-2', 'door', true],
    ['door-15', 'door', true],
    ['door', 'door', false],
    ['door-1', 'door', false],
    ['door-02', 'door', false],
    ['doors-2', 'door', false],
    [`${'a'.repeat(189)}-2`, 'a'.repeat(191), true],
  ])('%j of %j: %j', (slug, text, expected) => {
    expect(isSuffixedSlug(slug, text)).toBe(expected)
  })
})

describe('slugWish: the last slug sent decides, else the first name', () => {
  const wish = (...items: Array<{ name: string; slug?: string | null }>) =>
    slugWish(items, (item) => item.name, 'product')
  it.each([
    ['absent', wish({ name: 'Door' }), { text: 'door', sent: false }],
    ['null', wish({ name: 'Door', slug: null }), { text: 'door', sent: false }],
    ['blank', wish({ name: 'Door', slug: '  ' }), { text: 'door', sent: false }],
    ['sent', wish({ name: 'Door', slug: 'Tür' }), { text: 'Tür', sent: true }],
    ['sent, not usable', wish({ name: 'Door', slug: '../../x y' }), { text: 'x-y', sent: true }],
    ['sent, nothing usable in it', wish({ name: 'Door', slug: '///' }), { text: 'door', sent: false }],
    ['a name without letters or digits', wish({ name: '!!!' }), { text: 'product', sent: false }],
    [
      'two items',
      wish({ name: 'A', slug: 'one' }, { name: 'B', slug: 'two' }, { name: 'C' }),
      { text: 'two', sent: true },
    ],
  ])('%s', (_case, found, expected) => {
    expect(found).toEqual(expected)
  })
})

describe('slugEntry', () => {
  const wish = { text: 'x', sent: true }
  it.each([
    ['saved as sent', 'x', 'x', undefined],
    ['not sent', null, 'x-2', undefined],
    ['taken', 'x', 'x-2', 'Slug "x" is already taken; saved as "x-2".'],
    ['not valid', 'x!', 'x', 'Slug "x!" is not valid; saved as "x".'],
    ['not valid and taken', 'x!', 'x-3', 'Slug "x!" is not valid; saved as "x-3".'],
    ['replaced by a later item of the same key', 'old', 'x', undefined],
  ])('%s', (_case, sent, stored, entry) => {
    expect(slugEntry(sent, wish, stored)).toBe(entry)
  })
})
