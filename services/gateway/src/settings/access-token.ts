import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** The API that a token gives access to. */
export type ApiAudience = 'erp' | 'b2b'

/** The stored form of a token; the token itself is never stored (rules.md#tokens). */
export interface TokenHash {
  sha256: string
  last4: string
  issued_at: Date
}

/** Generates a 256-bit token. It can be shown at this moment only. */
export function generateToken(now: Date): {
  token: string
  hash: TokenHash
  shown: { last4: string; issued_at: string }
} {
  const token = randomBytes(32).toString('base64url')
  const last4 = token.slice(-4)
  return {
    token,
    hash: { sha256: digest(token).toString('hex'), last4, issued_at: now },
    shown: { last4, issued_at: now.toISOString() },
  }
}

/** Compares in constant time. Without a stored digest no token matches. */
export function tokenMatches(token: string, stored: Buffer | undefined): boolean {
  return stored !== undefined && timingSafeEqual(digest(token), stored)
}

export function digest(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
