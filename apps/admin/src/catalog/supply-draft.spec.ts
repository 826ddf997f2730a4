import { describe, expect, it } from '@jest/globals'
import { readDraft, toDraft } from './supply-draft.js'

const stored = {
  id: 1,
  product_id: 1,
  pick_up_point_id: 1,
  storage_id: 1,
  purchase_price: null,
  selling_price: 10,
  old_price: null,
  quantity: 4,
  reserved: 0,
  shipped: 0,
  supply_date: '2026-01-01T00:00:00.000Z',
  delivery_days: 1,
}
const draft = toDraft(stored)

describe('the prices of a supply', () => {
  it('are blank where there is none', () => {
    expect(draft).toEqual({ purchase_price: '', selling_price: '10', old_price: '', reserved: '0', shipped: '0' })
  })

  it('may be written with a decimal comma and spaces', () => {
    expect(readDraft({ ...draft, selling_price: '1 234,5' }, draft)).toEqual({
      invalid: [],
      body: { selling_price: 1_234.5 },
    })
  })

  it('are removed by a blank', () => {
    expect(readDraft({ ...draft, selling_price: '' }, draft).body).toEqual({ selling_price: null })
  })

  it('are sent only where they were changed', () => {
    expect(readDraft(draft, draft)).toEqual({ invalid: [], body: {} })
  })

  it('are refused where they are no number, and so is a blank count', () => {
    expect(readDraft({ ...draft, old_price: 'ten', reserved: '' }, draft).invalid).toEqual(['old_price', 'reserved'])
  })
})
