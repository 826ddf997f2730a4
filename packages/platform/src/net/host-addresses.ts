import { lookup as systemLookup } from 'node:dns/promises'
import { LRUCache } from 'lru-cache'
import { literalAddress, mayConnect, type Reach } from './address-guard.js'
import type { AllowedHosts } from './allowed-hosts.js'

/** All addresses of a name, as the system's resolver gives them. */
export type Lookup = (hostname: string) => Promise<string[]>

export const lookupAll: Lookup = async (hostname) => {
  const found = await systemLookup(hostname, { all: true, verbatim: true })
  return found.map(({ address }) => address)
}

/** Addresses that may be connected to: those within reach, and those in the allow list. */
export interface AddressRules {
  reach: Reach
  allowed: AllowedHosts
}

/** An address of the host is neither within reach nor allowed. */
export class ForbiddenAddress extends Error {
  constructor(readonly hostname: string) {
    super(`an address of ${hostname} is not allowed`)
  }
}

/** The name has no address, or the resolver did not answer; the reason is the `cause`. */
export class LookupFailure extends Error {
  readonly code: string

  constructor(hostname: string, cause: unknown) {
    super(`${hostname} cannot be resolved`, { cause })
    this.code = (cause as { code?: string }).code ?? 'EAI_AGAIN'
  }
}

const CACHE_MS = 10_000
/** Failures too: requests that wait for one name shall not repeat its lookup one after another. */
const FAILURE_CACHE_MS = 1_000
const MAX_HOSTS = 1_000

/** Looks names up, each once at a time, with a short cache: a batch may name one host 2,000 times. */
export class HostAddresses {
  private readonly answers = new LRUCache<string, Promise<string[]>>({ max: MAX_HOSTS, ttl: CACHE_MS })

  /** @param timeoutMs limit of a lookup */
  constructor(
    private readonly lookup: Lookup,
    private readonly timeoutMs: number,
  ) {}

  /**
   * The addresses to connect to, even if the name resolves to others later. One forbidden address among several is
   * enough to refuse, because the client chooses among them.
   * @throws ForbiddenAddress, LookupFailure
   */
  async resolve(hostname: string, port: number, { reach, allowed }: AddressRules): Promise<[string, ...string[]]> {
    const literal = literalAddress(hostname)
    const [first, ...others] = literal === undefined ? await this.lookUp(hostname) : [literal]
    if (first === undefined) throw new LookupFailure(hostname, new Error('the name has no address'))
    const addresses: [string, ...string[]] = [first, ...others]
    if (!addresses.every((address) => mayConnect(address, { hostname, port }, allowed, reach)))
      throw new ForbiddenAddress(hostname)
    return addresses
  }

  private async lookUp(hostname: string): Promise<string[]> {
    const known = this.answers.get(hostname)
    if (known) return known
    const addresses = this.lookUpInTime(hostname)
    this.answers.set(hostname, addresses)
    addresses.catch(() => this.answers.set(hostname, addresses, { ttl: FAILURE_CACHE_MS }))
    return addresses
  }

  private async lookUpInTime(hostname: string): Promise<string[]> {
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<never>((_done, fail) => {
      timer = setTimeout(() => fail(new Error('no answer in time')), this.timeoutMs)
    })
    try {
      return await Promise.race([this.lookup(hostname), timeout])
    } catch (error) {
      throw new LookupFailure(hostname, error)
    } finally {
      clearTimeout(timer)
    }
  }
}
