import { hash, randomBytes } from 'node:crypto'

/** The stored form of a token; the token itself is never stored (rules.md#tokens). */
export interface TokenHash {
  sha256: string
  last4: string
  issued_at: Date
  /** the token before it, which is accepted as well until `valid_until` */
  previous?: { sha256: string; last4: string; valid_until: Date }
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
    hash: { sha256: hash('sha256', token), last4, issued_at: now },
    shown: { last4, issued_at: now.toISOString() },
  }
}

/** A new token that lets the one before it be valid for some time; that one's own predecessor ends at once. */
export function withOverlap(hash: TokenHash, before: TokenHash | null, overlapMinutes: number): TokenHash {
  if (!before || overlapMinutes === 0) return hash
  const valid_until = new Date(hash.issued_at.getTime() + overlapMinutes * 60_000)
  return { ...hash, previous: { sha256: before.sha256, last4: before.last4, valid_until } }
}
