import { describe, expect, it } from '@jest/globals'
import { randomBytes } from 'node:crypto'
import { SecretBox } from './secret-box.js'

describe('SecretBox', () => {
  const box = new SecretBox(randomBytes(32))

  it('opens what it sealed, and never seals alike twice', () => {
    expect(box.open(box.seal('Bearer тайна'))).toBe('Bearer тайна')
    expect(box.open(box.seal(''))).toBe('')
    expect(box.seal('x')).not.toBe(box.seal('x'))
    expect(box.seal('visible')).not.toContain('visible')
  })

  it('refuses what another key sealed, or what was changed', () => {
    expect(() => new SecretBox(randomBytes(32)).open(box.seal('x'))).toThrow()
    const [version, nonce, tag, data] = box.seal('abcdef').split(':') as [string, string, string, string]
    expect(() =>
      box.open([version, nonce, tag, Buffer.from(data, 'base64').map((byte) => byte ^ 1)].join(':')),
    ).toThrow()
    expect(() => box.open('plain text')).toThrow('Not a sealed secret')
  })
})
