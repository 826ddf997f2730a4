import { expect, it } from '@jest/globals'
import { ownPath } from './own-path.js'

it.each(['/imports/7', '/imports/7?code=no_article&page=2', '/'])('goes to %s after sign-in', (path) => {
  expect(ownPath(path)).toBe(path)
})

it.each([
  '',
  '//evil.example',
  'https://evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/sign-in?next=/',
  '/join',
])('goes to the overview instead of "%s"', (path) => {
  expect(ownPath(path)).toBe('/')
})
