import { expect, it } from '@jest/globals'
import { hashPassword, verifyPassword } from './password.js'

it('accepts the right password only, in either Unicode form (admin.md#passwords)', async () => {
  const stored = await hashPassword('пароль с йотом')
  expect(await verifyPassword('пароль с йотом', stored)).toBe(true)
  expect(await verifyPassword('пароль с йотом'.normalize('NFD'), stored)).toBe(true)
  expect(await verifyPassword('Пароль с йотом', stored)).toBe(false)
  expect(await verifyPassword('', stored)).toBe(false)
})

it('stores a salt of its own and never the password', async () => {
  const [one, other] = [await hashPassword('correct horse'), await hashPassword('correct horse')]
  expect(one.cost).toEqual({ N: 32_768, r: 8, p: 3 })
  expect(Buffer.from(one.salt, 'base64')).toHaveLength(16)
  expect([one.salt === other.salt, one.key === other.key]).toEqual([false, false])
  expect(JSON.stringify(one)).not.toContain('correct')
})

it('hashes without a stored password, too, and refuses', async () => {
  const startedAt = performance.now()
  expect(await verifyPassword('correct horse', null)).toBe(false)
  // a comparison alone would take microseconds
  expect(performance.now() - startedAt).toBeGreaterThan(20)
})
