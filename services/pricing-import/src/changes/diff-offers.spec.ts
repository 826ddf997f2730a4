import { describe, expect, it } from '@jest/globals'
import { articleKey, brandKey } from '@partsbus/contracts/article'
import type { PlacedValues } from '../offers/offer-store.js'
import { OfferDiff } from './diff-offers.js'
import type { OfferChanges } from './offer-changes.js'

const NONE = { added: 0, gone: 0, dearer: 0, cheaper: 0, price_added: 0, price_gone: 0, other: 0, unchanged: 0 }

type Values = Partial<Pick<PlacedValues, 'name' | 'quantity' | 'price' | 'delivery_days'>>

/** `BOSCH 001` with what differs from the usual offer; the place is the one in the list, from 2. */
function version(...offers: Array<string | [string, Values]>): PlacedValues[] {
  return offers.map((given, at) => {
    const [text, values] = typeof given === 'string' ? [given, {}] : given
    const [brand = '', article = ''] = text.split(' ')
    const keys = { brand_key: brandKey(brand), article_key: articleKey(article) }
    return { place: at + 2, ...keys, name: 'Pads', quantity: 4, price: 10, delivery_days: null, ...values }
  })
}

function diff(older: PlacedValues[], newer: PlacedValues[]): OfferChanges {
  const running = new OfferDiff(older.length, newer.length)
  for (const offer of older) running.addOld(offer)
  for (const offer of newer) running.addNew(offer)
  return running.finish()
}
const shown = (changes: OfferChanges) =>
  changes.read(0, 100, undefined).changes.map((one) => `${one.kind} ${one.old}-${one.new}`)

describe('the changes between two versions (admin.md#version-changes)', () => {
  it.each<[string, Values, Values, string | undefined]>([
    ['nothing', {}, {}, undefined],
    ['a higher price', { price: 10 }, { price: 10.01, quantity: 9 }, 'dearer'],
    ['a lower price', { price: 10 }, { price: 0 }, 'cheaper'],
    ['a price where there was none', { price: null }, { price: 10, quantity: 9 }, 'price_added'],
    ['no price where there was one', { price: 0 }, { price: null }, 'price_gone'],
    ['no price in both', { price: null }, { price: null }, undefined],
    ['the quantity', {}, { quantity: 5 }, 'other'],
    ['the days', { delivery_days: 0 }, { delivery_days: null }, 'other'],
    ['the name', {}, { name: 'Brake pads' }, 'other'],
    ['quantity and days swapped', { quantity: 1, delivery_days: 2 }, { quantity: 2, delivery_days: 1 }, 'other'],
  ])('of a row in both: %s', (_name, before, now, kind) => {
    const changes = diff(version(['BOSCH 1', before]), version(['Bosch 1', now]))
    expect(shown(changes)).toEqual(kind === undefined ? [] : [`${kind} 2-2`])
    expect(changes.counts.unchanged).toBe(kind === undefined ? 1 : 0)
  })

  it('are in the order of the newer version, then what is gone in that of the older one', () => {
    const older = version('A 1', 'A 2', 'A 3', ['A 4', { price: 20 }])
    const newer = version('B 1', ['A 4', { price: 10 }], 'A 2', 'A 9')
    const changes = diff(older, newer)
    expect(shown(changes)).toEqual(['added 0-2', 'cheaper 5-3', 'added 0-5', 'gone 2-0', 'gone 4-0'])
    expect(changes.counts).toEqual({ ...NONE, added: 2, gone: 2, cheaper: 1, unchanged: 1 })
  })

  it('take the first of several rows with the same article and brand, whichever version they are in', () => {
    const older = version(['A 1', { price: 1 }], ['A 1', { price: 2 }])
    const newer = version(['A 1', { price: 3 }], ['A 1', { price: 1 }], 'A 2', 'A 2')
    expect(shown(diff(older, newer))).toEqual(['dearer 2-2', 'added 0-4'])
  })

  it('are all of many', () => {
    const older = version(...Array.from({ length: 20_000 }, (_, at) => `A ${at}`))
    const newer = version(...Array.from({ length: 20_000 }, (_, at) => `A ${at + 5_000}`))
    expect(diff(older, newer).counts).toMatchObject({ added: 5_000, gone: 5_000, unchanged: 15_000 })
  })
})

describe('pages of changes', () => {
  const newer = Array.from({ length: 10 }, (_, at): [string, Values] => [`A ${at}`, { price: at % 2 === 0 ? 5 : 20 }])
  const changes = diff(version(...newer.map(([key]) => key)), version(...newer))
  const page = (kind: 'dearer' | 'gone' | undefined, skip: number) =>
    changes.read(changes.positionAfter(skip, kind), 2, kind).changes.map((one) => one.new)

  it('skip changes of other kinds', () => {
    expect([page(undefined, 0), page(undefined, 4), page(undefined, 9), page(undefined, 10)]).toEqual([
      [2, 3],
      [6, 7],
      [11],
      [],
    ])
    expect([page('dearer', 0), page('dearer', 2), page('dearer', 4), page('dearer', 6)]).toEqual([
      [3, 5],
      [7, 9],
      [11],
      [],
    ])
    expect([page('gone', 0), changes.total('dearer'), changes.total(undefined)]).toEqual([[], 5, 10])
  })

  it('continue where the page before ended', () => {
    const first = changes.read(0, 3, 'dearer')
    const second = changes.read(first.next, 3, 'dearer')
    expect([...first.changes, ...second.changes].map((one) => one.new)).toEqual([3, 5, 7, 9, 11])
    expect(changes.read(second.next, 3, 'dearer').changes).toEqual([])
  })
})
