import { expect, it } from '@jest/globals'
import { personState } from './person-draft.js'

it.each([
  [{ is_active: true, has_password: true }, 'active'],
  [{ is_active: true, has_password: false }, 'invited'],
  [{ is_active: false, has_password: true }, 'off'],
  [{ is_active: false, has_password: false }, 'off'],
])('%j is %s', (person, state) => {
  expect(personState(person)).toBe(state)
})
