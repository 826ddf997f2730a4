import { describe, expect, it } from '@jest/globals'
import { detailLines, isOutcomeUnknown } from './audit-details.js'

const lines = (details: Record<string, unknown>) => detailLines(details, { yes: 'Yes', no: 'No', none: '–' })

describe('detailLines', () => {
  it('shows a changed setting with its value before', () => {
    const changed = { erp_enabled: { from: false, to: true }, hosts: { from: [], to: ['a.example', 'b.example'] } }
    expect(lines({ changed })).toEqual([
      { name: 'erp_enabled', before: 'No', value: 'Yes' },
      { name: 'hosts', before: '–', value: 'a.example, b.example' },
    ])
  })

  it('names a nested field by its path', () => {
    const details = { id: 7, supplier: { base_url: 'https://a.example', headers: { 'x.y': '***' } } }
    expect(lines(details)).toEqual([
      { name: 'id', value: '7' },
      { name: 'supplier.base_url', value: 'https://a.example' },
      { name: 'supplier.headers.x.y', value: '***' },
    ])
  })

  it('names an item of a list by its index', () => {
    expect(lines({ sources: [{ kind: 'ftp', is_active: true }] })).toEqual([
      { name: 'sources.0.kind', value: 'ftp' },
      { name: 'sources.0.is_active', value: 'Yes' },
    ])
  })

  it('shows what is empty as nothing', () => {
    expect(lines({ a: null, b: '', c: [], d: {} }).map(({ value }) => value)).toEqual(['–', '–', '–', '–'])
  })

  it('never shows an object as such', () => {
    const changed = { rules: { from: { a: 1 }, to: [{ b: [{ c: false }] }] } }
    expect(lines({ changed })).toEqual([{ name: 'rules', before: 'a: 1', value: 'b: c: No' }])
  })

  it.each([
    [
      { last4: 'x7Qk', replaced: 'a1B2' },
      { name: 'last4', before: 'a1B2', value: 'x7Qk' },
    ],
    [
      { last4: 'x7Qk', replaced: null },
      { name: 'last4', before: '–', value: 'x7Qk' },
    ],
    [
      { version: 3, replaced: 5 },
      { name: 'version', before: '5', value: '3' },
    ],
    [
      { version: 41, replaced: 47, number: { from: 5, to: 3 } },
      { name: 'version', before: '5', value: '3' },
    ],
  ])('shows what was replaced as the value before: %j', (details, line) => {
    expect(lines(details)).toEqual([line])
  })

  it('shows what differs from what was there before', () => {
    const details = {
      id: 7,
      markup_percent: 15,
      mode: 'merge',
      format: { sheet: 'all', columns: { price: 'F' } },
      before: { name: 'North', markup_percent: 11, mode: 'merge', format: { sheet: 'all', skip_rows: 2 } },
    }
    expect(lines(details)).toEqual([
      { name: 'id', value: '7' },
      { name: 'markup_percent', before: '11', value: '15' },
      { name: 'format.columns.price', before: '–', value: 'F' },
      { name: 'format.skip_rows', before: '2', value: '–' },
    ])
  })

  it('leaves out that a field was empty before', () => {
    const details = { format: { columns: { price: 'F' } }, before: { format: {} } }
    expect(lines(details)).toEqual([{ name: 'format.columns.price', before: '–', value: 'F' }])
  })

  it('leaves the name before out of what was deleted', () => {
    expect(lines({ id: 7, before: { name: 'North' } })).toEqual([{ name: 'id', value: '7' }])
  })

  it('leaves the outcome out', () => {
    const details = { id: 7, outcome: 'unknown' }
    expect(lines(details)).toEqual([{ name: 'id', value: '7' }])
    expect(isOutcomeUnknown(details)).toBe(true)
  })

  it('words values by their path', () => {
    const word = (path: string, value: unknown) => (value === 'merge' ? `${path} in words` : undefined)
    const details = { mode: 'merge', is_active: true, before: { mode: 'replace', is_active: false } }
    expect(detailLines(details, { yes: 'Yes', no: 'No', none: '–', word })).toEqual([
      { name: 'mode', before: 'replace', value: 'mode in words' },
      { name: 'is_active', before: 'No', value: 'Yes' },
    ])
  })

  it('shows a field named changed that is no object', () => {
    expect(lines({ changed: 3 })).toEqual([{ name: 'changed', value: '3' }])
  })
})
