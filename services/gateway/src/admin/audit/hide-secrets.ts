import { HIDDEN } from '@partsbus/contracts/stock/storage'

/** A request body without secrets: values of supplier headers and passwords of sources become `"***"`. */
export function hideSecrets(body: object): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(body, (key, value: unknown) => {
      if (key === 'password') return HIDDEN
      if (key !== 'headers' || typeof value !== 'object' || value === null) return value
      return Object.fromEntries(Object.keys(value).map((name) => [name, HIDDEN]))
    }),
  ) as Record<string, unknown>
}
