import { HIDDEN } from '@partsbus/contracts/storage'

/** A request body as the audit log may keep it: values of supplier headers read `"***"`. */
export function hideSecrets(body: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(body, (key, value: unknown) =>
    key === 'headers' && typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.keys(value).map((name) => [name, HIDDEN])) : value)) as Record<string, unknown>
}
