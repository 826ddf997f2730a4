import { lookup as systemLookup } from 'node:dns/promises'
import { literalAddress } from './address-guard.js'

/** All addresses of a name, as the system's resolver gives them. */
export type Lookup = (hostname: string) => Promise<string[]>

export const lookupAll: Lookup = async (hostname) => {
  const found = await systemLookup(hostname, { all: true, verbatim: true })
  return found.map(({ address }) => address)
}

const REMEMBERED_MS = 10_000
const REMEMBERED_HOSTS = 1_000

/**
 * Looks names up, each once at a time, and remembers the answer for a few seconds: a batch may name one host 2,000
 * times.
 */
export class HostAddresses {
  private readonly lookup: Lookup
  private readonly answers = new Map<string, { addresses: Promise<string[]>; until: number }>()

  constructor(lookup: Lookup) {
    this.lookup = lookup
  }

  /** @throws whatever the resolver throws when there is no address */
  async of(hostname: string): Promise<string[]> {
    const literal = literalAddress(hostname)
    if (literal !== undefined) return [literal]
    const known = this.answers.get(hostname)
    if (known && known.until > performance.now()) return known.addresses
    const addresses = this.lookup(hostname)
    this.answers.set(hostname, { addresses, until: performance.now() + REMEMBERED_MS })
    if (this.answers.size > REMEMBERED_HOSTS) this.answers.delete(this.answers.keys().next().value ?? '')
    addresses.catch(() => this.answers.delete(hostname))
    return addresses
  }
}
