import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** A CIDR block of either family; a single address is a block of its full width. */
export interface AddressRange {
  network: Address
  bits: number
}

export type AddressList = readonly AddressRange[]

/** Parses an address of a socket, a header or a list. IPv4-mapped IPv6 becomes IPv4. */
export function parseAddress(text: string): Address | undefined {
  // the library alone would accept 0x7f.1, 017.0.0.1 and 2130706433
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  if (!text.includes(':') || !ipaddr.IPv6.isValid(text)) return undefined
  return ipaddr.process(text)
}

export function isAddressOrRange(text: string): boolean {
  return parseRange(text) !== undefined
}

/** Parses a list that was validated when it was saved. An invalid entry matches nothing. */
export function parseAddressList(entries: readonly string[]): AddressList {
  return entries.map(parseRange).filter((range) => range !== undefined)
}

export function listContains(list: AddressList, address: Address): boolean {
  return list.some(({ network, bits }) => network.kind() === address.kind() && address.match(network, bits))
}

/** Parses an address or a CIDR block (rules.md#address-lists). An IPv4-mapped block becomes the IPv4 block. */
export function parseRange(text: string): AddressRange | undefined {
  const [host = '', length, ...rest] = text.split('/')
  const network = parseAddress(host)
  if (!network || rest.length > 0) return undefined
  const width = network.kind() === 'ipv4' ? 32 : 128
  if (length === undefined) return { network, bits: width }
  if (!/^\d{1,3}$/.test(length)) return undefined
  // ::ffff:10.0.0.0/104 is 10.0.0.0/8
  const bits = Number(length) - (width === 32 && host.includes(':') ? 96 : 0)
  return bits >= 0 && bits <= width ? { network, bits } : undefined
}
