import { describe, expect, it } from '@jest/globals'
import { isSuffixedSlug, isUsableSlug, makeSlug, suffixedSlug } from './slug.js'
import { slugNote, slugRequest } from './slug-request.js'

describe('makeSlug (rules.md#slug-generated)', () => {
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
  ])('makes %j into %j', (name, slug) => {
    expect(makeSlug(name)).toBe(slug)
  })

  it('cuts at 191 characters and never ends with a dash', () => {
    expect(makeSlug('a'.repeat(500))).toHaveLength(191)
    expect(makeSlug(`${'a'.repeat(190)} b`)).toBe('a'.repeat(190))
  })
})

it('suffixedSlug stays within 191 code points', () => {
  expect(suffixedSlug('door', 2)).toBe('door-2')
  expect(suffixedSlug('a'.repeat(191), 12)).toBe(`${'a'.repeat(188)}-12`)
  expect([...suffixedSlug('𝒳'.repeat(191), 2)]).toHaveLength(191)
})

describe('isUsableSlug (rules.md#slug-sent)', () => {
  it.each(['door', 'Door_1.2~x', 'дверь-стальная', 'हिन्दी', 'я'.repeat(191), '...'])('accepts %j', (slug) => {
    expect(isUsableSlug(slug)).toBe(true)
  })
  it.each(['../../x', 'a b', '%00', 'a/b', '.', '..', 'a?b', 'a\nb', ''])('rejects %j', (slug) => {
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

describe('slugRequest', () => {
  const request = (...items: Array<{ name: string; slug?: string | null }>) =>
    slugRequest(items, (item) => item.name, 'product')
  it.each([
    ['generates a slug when none is sent', request({ name: 'Door' }), { text: 'door', isSent: false }],
    ['generates a slug for null', request({ name: 'Door', slug: null }), { text: 'door', isSent: false }],
    ['generates a slug for a blank one', request({ name: 'Door', slug: '  ' }), { text: 'door', isSent: false }],
    ['uses a sent slug', request({ name: 'Door', slug: 'Tür' }), { text: 'Tür', isSent: true }],
    ['normalizes an unusable slug', request({ name: 'Door', slug: '../../x y' }), { text: 'x-y', isSent: true }],
    [
      'generates a slug when nothing of the sent one is usable',
      request({ name: 'Door', slug: '///' }),
      { text: 'door', isSent: false },
    ],
    ['falls back for a name without letters and digits', request({ name: '!!!' }), { text: 'product', isSent: false }],
    [
      'uses the last slug that was sent',
      request({ name: 'A', slug: 'one' }, { name: 'B', slug: 'two' }, { name: 'C' }),
      { text: 'two', isSent: true },
    ],
  ])('%s', (_case, found, expected) => {
    expect(found).toEqual(expected)
  })
})

describe('slugNote', () => {
  const request = { text: 'x', isSent: true }
  it.each([
    ['is absent when the slug was saved as sent', 'x', 'x', undefined],
    ['is absent when none was sent', null, 'x-2', undefined],
    ['names the slug saved instead of a taken one', 'x', 'x-2', 'Slug "x" is already taken; saved as "x-2".'],
    ['names the slug saved instead of an invalid one', 'x!', 'x', 'Slug "x!" is not valid; saved as "x".'],
    ['says only that the slug is invalid when it is taken too', 'x!', 'x-3', 'Slug "x!" is not valid; saved as "x-3".'],
    ['is absent when a later item of the key sent another slug', 'old', 'x', undefined],
  ])('%s', (_case, sent, stored, message) => {
    expect(slugNote(sent, request, stored)?.message).toBe(message)
  })
})
