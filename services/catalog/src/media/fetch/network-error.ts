/** The host cannot be reached: another address or a later attempt may succeed. */
const unreachable = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EADDRNOTAVAIL',
  'EHOSTDOWN',
  'ENETDOWN',
  'UND_ERR_CONNECT_TIMEOUT',
])

export function isUnreachable(error: unknown): boolean {
  return unreachable.has(textIn(error, 'code') ?? '')
}

/** A network error for the log and the admin API: its code if it has one. */
export function describeError(error: unknown): string {
  return textIn(error, 'code') ?? textIn(error, 'message') ?? 'the connection failed'
}

function textIn(error: unknown, field: 'code' | 'message'): string | undefined {
  const value =
    typeof error === 'object' && error !== null && field in error
      ? (error as Record<typeof field, unknown>)[field]
      : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}
