import { describe, expect, it } from '@jest/globals'
import { clearedCookie, cookieForm, readSessionCookie, sessionCookie } from './session-cookie.js'

const token = 'A'.repeat(43)
const secure = { name: '__Host-partsbus', isSecure: true } as const
const plain = { name: 'partsbus', isSecure: false } as const

describe('the cookie of a session (admin.md#session-cookie)', () => {
  it.each([
    ['https://parts.example.org', false, secure],
    ['https://127.0.0.1:8443', false, secure],
    ['http://localhost:8080', false, plain],
    ['http://shop.localhost', false, plain],
    ['http://127.0.0.1:8080', false, plain],
    ['http://127.1.2.3', false, plain],
    ['http://[::1]:8080', false, plain],
    ['http://parts.example.org', false, undefined],
    ['http://127.0.0.1.example.org', false, undefined],
    ['http://10.0.0.5:8080', false, undefined],
    ['http://parts.example.org', true, plain],
    ['', false, undefined],
    ['', true, undefined],
  ])('of %s, plain HTTP allowed: %s', (baseUrl, allowsPlainHttp, expected) => {
    expect(cookieForm(baseUrl, allowsPlainHttp)).toEqual(expected)
  })

  it('cannot be read by scripts, and is not sent for pages of other sites', () => {
    expect(sessionCookie(secure, token, false)).toBe(
      `__Host-partsbus=${token}; Path=/; HttpOnly; SameSite=Strict; Secure`,
    )
    expect(sessionCookie(plain, token, false)).toBe(`partsbus=${token}; Path=/; HttpOnly; SameSite=Strict`)
  })

  it('outlives the browser only when it is to be remembered', () => {
    expect(sessionCookie(plain, token, true)).toMatch(/; Max-Age=604800$/)
    expect(clearedCookie(secure)).toBe('__Host-partsbus=; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=0')
  })

  it.each([
    [`__Host-partsbus=${token}`, token],
    [`theme=dark; __Host-partsbus=${token}; a=b`, token],
    [`partsbus=${token}`, undefined],
    [`x__Host-partsbus=${token}`, undefined],
    ['__Host-partsbus=', undefined],
    [`__Host-partsbus=${token}x`, undefined],
    ['__Host-partsbus', undefined],
    [undefined, undefined],
  ])('is read from %j', (header, expected) => expect(readSessionCookie(header, secure)).toBe(expected))
})
