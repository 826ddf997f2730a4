import { expect, it } from '@jest/globals'
import { isRolledBack } from './rolled-back.js'

it.each([
  ['of a list without a version', [], false],
  ['when the newest version is live', [true, false], false],
  ['when an older version is live', [false, true, false], true],
  ['when none is live', [false], false],
])('a rollback, %s', (_when, live, answer) => {
  expect(isRolledBack(live.map((is_active) => ({ is_active })))).toBe(answer)
})
