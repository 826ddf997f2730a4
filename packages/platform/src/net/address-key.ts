import { parseAddress } from './address-list.js'

/** What limits count for one client: its address, or its network of 64 bits, since a client with IPv6 has all of it. */
export function addressKey(address: string | undefined): string {
  const parsed = parseAddress(address ?? '')
  if (parsed?.kind() !== 'ipv6') return parsed?.toString() ?? ''
  return parsed
    .toByteArray()
    .slice(0, 8)
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
