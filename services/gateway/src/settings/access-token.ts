import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Which API a token opens. */
export type ApiAudience = 'erp' | 'b2b'

/** What is stored of a token, never the token itself (rules.md#tokens). */
export interface TokenHash {
  sha256: string
  last4: string
  issued_at: Date
}

/** Makes a 256-bit token. It can be shown at this moment only. */
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

/** Compares in a time that does not depend on either. Without a kept token nothing matches. */
export function tokenMatches(token: string, kept: Buffer | undefined): boolean {
  return kept !== undefined && timingSafeEqual(digest(token), kept)
}

export function digest(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
