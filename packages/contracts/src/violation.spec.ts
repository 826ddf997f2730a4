import { expect, it } from '@jest/globals'
import { settingsPatch } from './gateway/settings.js'
import { type Violations, describeIssues } from './violation.js'

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
        `{"${name}": ["The ${name} field is unknown."], "erp_enabled": ["The erp_enabled field must be true or false."]}`,
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
