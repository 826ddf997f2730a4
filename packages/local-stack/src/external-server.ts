import { accepts } from './answers.ts'
import { StackUnavailable } from './stack-unavailable.ts'
import { waitUntil } from './wait-until.ts'

/**
 * Waits until one host of an external URL accepts connections. @throws StackUnavailable with the name of the variable
 */
export async function waitForExternalServer(
  variable: string,
  url: string,
  defaultPort: number,
  withinMs = 10_000,
): Promise<void> {
  const hosts = parseHosts(url, defaultPort)
  if (hosts.length === 0) return
  const reached = await waitUntil(
    async () => (await Promise.all(hosts.map(({ host, port }) => accepts(host, port)))).includes(true),
    {
      withinMs,
      everyMs: 300,
    },
  )
  const names = hosts.map(({ host, port }) => `${host}:${port}`).join(', ')
  if (!reached) throw new StackUnavailable(`${variable} is set, but no server accepts connections at ${names}.`)
}

/** The hosts of a URL, or of several URLs separated by commas; none for `mongodb+srv`, whose hosts are in the DNS. */
export function parseHosts(url: string, defaultPort: number): { host: string; port: number }[] {
  if (url.startsWith('mongodb+srv:')) return []
  return url
    .replace(/(^|,)[a-z+]+:\/\//g, '$1')
    .replace(/[/?].*$/s, '')
    .split(',')
    .map((part) => part.slice(part.lastIndexOf('@') + 1).trim())
    .filter((part) => part !== '')
    .map((part) => {
      const match = part.match(/^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/)
      return { host: (match?.[1] ?? part).replace(/^\[|\]$/g, ''), port: Number(match?.[2] ?? defaultPort) }
    })
}
