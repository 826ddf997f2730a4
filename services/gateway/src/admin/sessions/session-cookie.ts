import { isIPv4 } from 'node:net'
import { SESSION_MAX_AGE_MS } from '@partsbus/contracts/administration/accounts'
import { readCookie } from '../../http/read-cookie.js'

/** How the cookie of a session is written, by the base URL of the request (admin.md#session-cookie). */
export interface CookieForm {
  name: '__Host-partsbus' | 'partsbus'
  isSecure: boolean
}

/** 256 bits in base64url */
const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** @returns undefined where a session would cross a network in clear text */
export function cookieForm(baseUrl: string, allowsPlainHttp: boolean): CookieForm | undefined {
  if (!URL.canParse(baseUrl)) return undefined
  const { protocol, hostname } = new URL(baseUrl)
  if (protocol === 'https:') return { name: '__Host-partsbus', isSecure: true }
  return allowsPlainHttp || isLoopback(hostname) ? { name: 'partsbus', isSecure: false } : undefined
}

function isLoopback(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]') return true
  return isIPv4(hostname) && hostname.startsWith('127.')
}

/** The token in the cookie, or undefined when the cookie is missing or malformed. */
export function readSessionCookie(header: string | undefined, { name }: CookieForm): string | undefined {
  const value = readCookie(header, name)
  return value !== undefined && TOKEN.test(value) ? value : undefined
}

/** @param isKept the cookie outlives the browser */
export function sessionCookie(form: CookieForm, token: string, isKept: boolean): string {
  return writeCookie(form, token, isKept ? SESSION_MAX_AGE_MS / 1_000 : undefined)
}

export function clearedCookie(form: CookieForm): string {
  return writeCookie(form, '', 0)
}

function writeCookie({ name, isSecure }: CookieForm, value: string, maxAge: number | undefined): string {
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Strict']
  if (isSecure) attributes.push('Secure')
  if (maxAge !== undefined) attributes.push(`Max-Age=${maxAge}`)
  return [`${name}=${value}`, ...attributes].join('; ')
}
