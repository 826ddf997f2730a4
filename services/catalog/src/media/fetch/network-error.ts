/** Nobody is there: another address, or a later time, may do. */
const unreachable = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'EADDRNOTAVAIL', 'EHOSTDOWN', 'ENETDOWN', 'UND_ERR_CONNECT_TIMEOUT'])

export function isUnreachable(error: unknown): boolean {
  return unreachable.has(codeOf(error) ?? '')
}

/** An error of the network in words for the log and the admin: its code where it has one. */
export function wordError(error: unknown): string {
  return codeOf(error) ?? (error instanceof Error ? error.message : 'the connection failed')
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
