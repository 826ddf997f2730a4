import { HIDDEN } from '@partsbus/contracts/stock/storage'

/** Names of parameters in the query of an address whose values are secrets. */
const SECRET_NAME = /key|token|pass|pwd|secret|auth|sig/i

/**
 * A body without secrets (admin.md#secrets): values of supplier headers, passwords of sources and secret parameters of
 * addresses become `"***"`.
 */
export function hideSecrets(body: object): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(body, (key, value: unknown) => {
      if (key === 'password') return HIDDEN
      if ((key === 'url' || key === 'base_url') && typeof value === 'string') return hideParameters(value)
      if (key !== 'headers' || typeof value !== 'object' || value === null) return value
      return Object.fromEntries(Object.keys(value).map((name) => [name, HIDDEN]))
    }),
  ) as Record<string, unknown>
}

function hideParameters(url: string): string {
  return url.replace(/[?&][^&#]*/g, (parameter) => {
    const name = parameter.slice(0, Math.max(0, parameter.indexOf('=')))
    return SECRET_NAME.test(name) ? `${name}=${HIDDEN}` : parameter
  })
}
