import { domainToASCII } from 'node:url'
import ipaddr from 'ipaddr.js'
import { type Address, type AddressRange, listContains, parseAddress, parseRange } from './address-list.js'

/** A list of allowed hosts, read: what may be reached although it is not public. */
export interface AllowedHosts {
  /** a host name that stands in the list, with any address it may have */
  names(hostname: string, port: number): boolean
  /** an address that stands in the list or inside one of its CIDRs */
  holds(address: Address): boolean
}

/**
 * Entries are host names (exact, any case), addresses or CIDRs; a name or an address may carry a port.
 * Entries that are none of it allow nothing.
 */
export function readAllowedHosts(entries: readonly string[]): AllowedHosts {
  const names = new Set<string>()
  const ranges: AddressRange[] = []
  for (const entry of entries) {
    const range = parseRange(entry.trim()) ?? parseLooseCidr(entry.trim())
    if (range) ranges.push(range)
    else names.add(readName(entry.trim()))
  }
  names.delete('')
  return {
    names: (hostname, port) => {
      const name = bareName(hostname)
      return names.has(name) || names.has(`${name}:${port}`)
    },
    holds: (address) => listContains(ranges, address),
  }
}

/** Host lists also accept short spellings of an IPv4 network (`10.0/8`) and blocks wider than the IPv4-mapped range. */
function parseLooseCidr(entry: string): AddressRange | undefined {
  if (!ipaddr.isValidCIDR(entry)) return undefined
  const [network, bits] = ipaddr.parseCIDR(entry)
  return { network, bits }
}

function readName(entry: string): string {
  const { host = '', port } = /^(?<host>\[[^\]]*\]|[^:]*)(?::(?<port>\d{1,5}))?$/.exec(entry)?.groups ?? {}
  const name = bareName(host)
  // a bare number would be an address in one of its odd spellings, more likely a slip
  if (name === '' || (parseAddress(name) && name !== host.toLowerCase())) return ''
  return port === undefined ? name : `${name}:${Number(port)}`
}

/** The form in which the host of a parsed URL is: lower case, punycode, no brackets; and no dot at its end. */
export function bareName(host: string): string {
  if (host.startsWith('[')) return host.slice(1, -1).toLowerCase()
  return domainToASCII(host).replace(/\.$/, '')
}
