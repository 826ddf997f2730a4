import { domainToASCII } from 'node:url'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

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
  const ranges: Array<[Address, number]> = []
  for (const entry of entries) {
    const range = readRange(entry.trim())
    if (range) ranges.push(range)
    else names.add(readName(entry.trim()))
  }
  names.delete('')
  return {
    names: (hostname, port) => {
      const name = bareName(hostname)
      return names.has(name) || names.has(`${name}:${port}`)
    },
    holds: (address) => ranges.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits)),
  }
}

function readRange(entry: string): [Address, number] | undefined {
  if (ipaddr.isValidCIDR(entry)) {
    const [base, bits] = ipaddr.parseCIDR(entry)
    return base instanceof ipaddr.IPv6 && base.isIPv4MappedAddress() && bits >= 96
      ? [base.toIPv4Address(), bits - 96]
      : [base, bits]
  }
  if (!isAddress(entry)) return undefined
  const address = ipaddr.process(entry)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** `ipaddr.isValid` also takes `10`, which in a list of hosts is more likely a slip than an address. */
function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
}

function readName(entry: string): string {
  const { host = '', port } = /^(?<host>\[[^\]]*\]|[^:]*)(?::(?<port>\d{1,5}))?$/.exec(entry)?.groups ?? {}
  const name = bareName(host)
  // a bare number would be an address in one of its odd spellings, more likely a slip
  if (name === '' || (isAddress(name) && name !== host.toLowerCase())) return ''
  return port === undefined ? name : `${name}:${Number(port)}`
}

/** The form in which the host of a parsed URL is: lower case, punycode, no brackets; and no dot at its end. */
export function bareName(host: string): string {
  if (host.startsWith('[')) return host.slice(1, -1).toLowerCase()
  return domainToASCII(host).replace(/\.$/, '')
}
