import { expect, it } from '@jest/globals'
import { invitationLink, readInvitation } from './invitation-link.js'

it.each(['anna', 'Анна & Ко #1'])('brings the token and the name %s in the fragment', (name) => {
  const link = invitationLink('https://shop.example', '/parts/admin/', { token: 'abc-_', name })
  const [page, fragment = '', ...others] = link.split('#')
  expect([page, others]).toEqual(['https://shop.example/parts/admin/join', []])
  expect(readInvitation(fragment)).toEqual({ token: 'abc-_', name })
})

it.each(['abc-_', 'abc-_&', 'abc-_&%'])('reads the token alone of %s', (fragment) => {
  expect(readInvitation(fragment)).toEqual({ token: 'abc-_' })
})

it('reads no token from a link without a fragment', () => {
  expect(readInvitation('').token).toBe('')
})
