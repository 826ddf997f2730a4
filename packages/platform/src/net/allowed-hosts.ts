import { domainToASCII } from 'node:url'
import { type Address, type AddressRange, listContains, parseAddress, parseRange } from './address-list.js'

/** Hosts that may be connected to although their addresses are not public. */
export interface AllowedHosts {
  /** Whether the list has the name, with any address. */
  hasName(hostname: string, port: number): boolean
  /** Whether the list has the address or a CIDR block that contains it. */
  hasAddress(address: Address): boolean
}

/**
 * Entries are host names (exact, any case), addresses or CIDR blocks (rules.md#address-lists); a name or an address may
 * have a port. Other entries allow nothing.
 */
export function readAllowedHosts(entries: readonly string[]): AllowedHosts {
  const names = new Set<string>()
  const ranges: AddressRange[] = []
  for (const entry of entries) {
    const range = parseRange(entry.trim())
    if (range) ranges.push(range)
    else names.add(readName(entry.trim()))
  }
  names.delete('')
  return {
    hasName: (hostname, port) => {
      const name = bareName(hostname)
      return names.has(name) || names.has(`${name}:${port}`)
    },
    hasAddress: (address) => listContains(ranges, address),
  }
}

function readName(entry: string): string {
  const { host = '', port } = /^(?<host>\[[^\]]*\]|[^:]*)(?::(?<port>\d{1,5}))?$/.exec(entry)?.groups ?? {}
  const name = bareName(host)
  // a bare number is an address in one of its odd spellings, more likely a typing error
  if (name === '' || (parseAddress(name) && name !== host.toLowerCase())) return ''
  return port === undefined ? name : `${name}:${Number(port)}`
}

/** The host of a parsed URL without brackets and a dot at its end: lower case, punycode. */
export function bareName(host: string): string {
  if (host.startsWith('[')) return host.slice(1, -1).toLowerCase()
  return domainToASCII(host).replace(/\.$/, '')
}
