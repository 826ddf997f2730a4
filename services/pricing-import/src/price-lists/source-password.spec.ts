import { randomBytes } from 'node:crypto'
import { expect, it } from '@jest/globals'
import { SecretBox } from '@partsbus/platform/process/secret-box'
import { openPassword, sealPassword } from './source-password.js'

const secrets = new SecretBox([randomBytes(32)])

it('a password opens for its own source of its own list only', () => {
  const sealed = sealPassword(secrets, 'top-secret', 7, 2)
  expect(openPassword(secrets, sealed, 7, 2)).toBe('top-secret')
  expect(() => openPassword(secrets, sealed, 7, 3)).toThrow()
  expect(() => openPassword(secrets, sealed, 8, 2)).toThrow()
})

it('a password that version 0.1 sealed without a context still opens', () => {
  expect(openPassword(secrets, secrets.seal('old-secret'), 7, 2)).toBe('old-secret')
})

it('a password of another key does not open', () => {
  const other = new SecretBox([randomBytes(32)])
  expect(() => openPassword(secrets, sealPassword(other, 'x', 7, 2), 7, 2)).toThrow(/unknown key/)
})
