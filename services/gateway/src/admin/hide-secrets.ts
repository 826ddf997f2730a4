import { HIDDEN } from '@partsbus/contracts/storage'

/**
 * A request body as the audit log may keep it: values of supplier headers read `"***"`, and so does what stands
 * before the `@` of an address.
 */
export function hideSecrets(body: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(body, (key, value: unknown) => {
    if (key === 'headers' && typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.keys(value).map((name) => [name, HIDDEN]))
    }
    return key === 'base_url' && typeof value === 'string' ? hideCredentials(value) : value
  })) as Record<string, unknown>
}

function hideCredentials(address: string): string {
  const url = new URL(address)
  if (url.username === '' && url.password === '') return address
  url.username = HIDDEN
  url.password = ''
  return url.href
}
