import { expect, it } from '@jest/globals'
import { invitationLink, personState } from './person-draft.js'

it.each([
  [{ is_active: true, has_password: true }, 'active'],
  [{ is_active: true, has_password: false }, 'invited'],
  [{ is_active: false, has_password: true }, 'off'],
  [{ is_active: false, has_password: false }, 'off'],
])('%j is %s', (person, state) => {
  expect(personState(person)).toBe(state)
})

it('puts the token of an invitation into the fragment', () => {
  expect(invitationLink('https://shop.example', '/parts/admin/', 'abc-_')).toBe(
    'https://shop.example/parts/admin/join#abc-_',
  )
})
