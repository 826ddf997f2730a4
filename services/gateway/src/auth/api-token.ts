import { hash, timingSafeEqual } from 'node:crypto'
import type { TokenHash } from '@partsbus/contracts/administration/settings-commands'

/** Whether the token is the one before the current one, within its overlap (admin.md#tokens-overlap). */
export function previousTokenMatches(token: string, { previous }: Pick<TokenHash, 'previous'>, now: number): boolean {
  return (
    previous !== undefined &&
    now < Date.parse(previous.valid_until) &&
    tokenMatches(token, Buffer.from(previous.sha256, 'hex'))
  )
}

/** Compares in constant time. Without a stored digest no token matches. */
export function tokenMatches(token: string, stored: Buffer | undefined): boolean {
  return stored !== undefined && timingSafeEqual(digest(token), stored)
}

export function digest(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
