import { createCipheriv, randomBytes } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { SecretBox } from './secret-box.js'

const key = randomBytes(32)
const box = new SecretBox([key])

/** As texts were sealed before they had a key id. */
function sealFirstVersion(secret: string, tagBytes = 16): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  const data = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return ['v1', ...[nonce, cipher.getAuthTag(), data].map((part) => part.toString('base64'))].join(':')
}

describe('SecretBox', () => {
  it.each(['', 'Bearer s3cret', 'пароль'])('opens what it sealed: %j', (secret) => {
    const sealed = box.seal(secret, 'storage 7')
    expect(box.open(sealed, 'storage 7')).toBe(secret)
    expect(sealed).not.toContain('s3cret')
    expect(box.seal(secret, 'storage 7')).not.toBe(sealed)
  })

  it('refuses a text that was changed, or sealed with an unknown key', () => {
    const sealed = box.seal('x')
    expect(() => new SecretBox([randomBytes(32)]).open(sealed)).toThrow(/^Sealed with the unknown key [0-9a-f]{8}$/)
    const [version, id, nonce, tag] = sealed.split(':')
    expect(() => box.open([version, id, nonce, tag, Buffer.from('y').toString('base64')].join(':'))).toThrow()
    expect(() => box.open('plain')).toThrow('Not a sealed secret')
  })

  it('refuses a text that was moved to another place', () => {
    expect(() => box.open(box.seal('x', 'storage 7'), 'storage 8')).toThrow()
  })

  it('opens texts of an older key and seals with the first', () => {
    const newKey = randomBytes(32)
    const rotated = new SecretBox([newKey, key])
    expect(rotated.open(box.seal('x', 'here'), 'here')).toBe('x')
    expect(new SecretBox([newKey]).open(rotated.seal('y', 'here'), 'here')).toBe('y')
  })

  it('opens texts of the first version with any of its keys', () => {
    expect(new SecretBox([randomBytes(32), key]).open(sealFirstVersion('x'), 'storage 7')).toBe('x')
    expect(() => new SecretBox([randomBytes(32)]).open(sealFirstVersion('x'))).toThrow()
  })

  it('refuses an authentication tag that is shorter than 16 bytes', () => {
    expect(() => box.open(sealFirstVersion('x', 4))).toThrow(/tag/)
    const [version, id, nonce, tag = '', data] = box.seal('x').split(':')
    const short = Buffer.from(tag, 'base64').subarray(0, 4).toString('base64')
    expect(() => box.open([version, id, nonce, short, data].join(':'))).toThrow(/tag/)
  })
})
