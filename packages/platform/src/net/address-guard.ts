import ipaddr from 'ipaddr.js'
import type { AllowedHosts } from './allowed-hosts.js'

/** Longer URLs are rejected without parsing (rules.md#public-addresses). */
const MAX_URL_LENGTH = 2_048

/** Global unicast; IPv6 addresses outside are for special use, those that embed an IPv4 address included. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Metadata services of clouds at addresses that look like other private or public ones: AWS, Alibaba, Oracle, Azure.
 * They return credentials. The link-local 169.254.169.254 of most clouds is refused with its range.
 */
const METADATA = new Set(['fd00:ec2::254', '100.100.100.200', '192.0.0.192', '168.63.129.16'].map(normalize))

/**
 * Parses a URL that may be requested. The URL parser normalizes every spelling of an address (`2130706433`, `0x7f.1`,
 * `0177.0.0.1`, full-width digits) and rejects zone ids.
 * @returns the reason when it may not be requested
 */
export function readUrl(text: string): URL | string {
  if (text.length > MAX_URL_LENGTH) return 'the URL is too long'
  if (!URL.canParse(text)) return 'not a URL'
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return `the scheme ${url.protocol.slice(0, 20)} is not fetched`
  if (url.username !== '' || url.password !== '') return 'the URL contains credentials'
  url.hash = ''
  return url
}

/** The address if the host is one, or undefined for a name. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return ipaddr.isValid(bare) ? bare : undefined
}

/**
 * Addresses that need no entry in an allow list. `public`: public addresses. `private`: also those of private networks
 * and of this machine, but no link-local ones, where metadata services of clouds are, and none that embed another
 * address.
 */
export type Reach = 'public' | 'private'

/** Whether a connection may be made to this address: it is within reach or allowed. */
export function mayConnect(
  address: string,
  host: { hostname: string; port: number },
  allowed: AllowedHosts,
  reach: Reach = 'public',
): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  const isWithinReach = isPublic(parsed) || (reach === 'private' && isPrivate(parsed))
  return (
    (isWithinReach && !METADATA.has(parsed.toNormalizedString())) ||
    allowed.hasAddress(parsed) ||
    allowed.hasName(host.hostname, host.port)
  )
}

function normalize(address: string): string {
  return ipaddr.parse(address).toNormalizedString()
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST)
}

function isPrivate(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const range = address.range()
  if (address instanceof ipaddr.IPv4) return !['linkLocal', 'multicast', 'broadcast'].includes(range)
  return ['loopback', 'unspecified', 'uniqueLocal'].includes(range)
}
