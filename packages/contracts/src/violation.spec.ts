import { expect, it } from '@jest/globals'
import { settingsPatch } from './administration/settings.js'
import { categoryItem } from './catalog/category.js'
import { createdPriceList } from './pricing-import/price-list.js'
import { codeIssues, contractViolation, type Violations, describeIssues } from './violation.js'

const wordsOf = (text: string): Violations => {
  const input: unknown = JSON.parse(text)
  return describeIssues(settingsPatch.safeParse(input).error?.issues ?? [], input, '')
}

it.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf', '__proto__'])(
  'an unknown field named as something every object has is a violation like others: %s',
  (name) => {
    const words = wordsOf(`{"${name}": {"a": 1}, "erp_enabled": 5}`)
    expect(Object.entries(words).toSorted()).toEqual(
      [
        [name, [`The ${name} field is unknown.`]],
        ['erp_enabled', ['The erp_enabled field must be true or false.']],
      ].toSorted(),
    )
    expect(JSON.parse(JSON.stringify(words))).toEqual(
      JSON.parse(
        `{"${name}": ["The ${name} field is unknown."],` +
          '"erp_enabled": ["The erp_enabled field must be true or false."]}',
      ),
    )
  },
)

it('several faults of one path stand together', () => {
  const into: Violations = { name: ['first'] }
  describeIssues(
    [{ code: 'custom', path: ['name'], message: '', params: { rule: 'required' }, input: undefined }],
    {},
    '',
    into,
  )
  expect(into).toEqual({ name: ['first', 'The name field is required.'] })
})

it('each violation has a code with its limit (admin.md#violation-codes)', () => {
  const input = {
    name: 'x'.repeat(192),
    markup_percent: 'ten',
    min_rows_ratio: 2,
    delivery_days: 1.5,
    sources: Array.from({ length: 21 }, () => ({ kind: 'url', url: 'http://a/b' })),
    colour: 'red',
  }
  const issues = createdPriceList.safeParse(input).error?.issues ?? []
  expect(codeIssues(issues, input).toSorted((a, b) => a.path.localeCompare(b.path))).toEqual([
    { path: 'colour', rule: 'unknown' },
    { path: 'delivery_days', rule: 'integer' },
    { path: 'markup_percent', rule: 'number' },
    { path: 'min_rows_ratio', rule: 'at_most', limit: 1 },
    { path: 'name', rule: 'max', limit: 191 },
    { path: 'sources', rule: 'max_items', limit: 20 },
    { path: 'storage_id', rule: 'required' },
  ])
})

it.each(['10', 1.5, true, 2 ** 53])(
  '%j is no integer, in the code as in the text (erp.md#result-codes)',
  (sort_order) => {
    const input = { id_erp: 'C', name: 'n', sort_order }
    const issues = categoryItem.safeParse(input).error?.issues ?? []
    expect(codeIssues(issues, input)).toEqual([{ path: 'sort_order', rule: 'integer' }])
    expect(describeIssues(issues, input, '')).toEqual({ sort_order: ['The sort_order must be an integer.'] })
  },
)

it('one rule may stand for all violations', () => {
  expect(contractViolation({ 'a.0': ['x'], b: ['y'] }, 'exists').details).toEqual({
    errors: { 'a.0': ['x'], b: ['y'] },
    violations: [
      { path: 'a.0', rule: 'exists' },
      { path: 'b', rule: 'exists' },
    ],
  })
})
