import { isIPv4 } from 'node:net'
import { type AddressList, listContains, parseAddress } from '@partsbus/platform/net/address-list'

/**
 * The client's address (rules.md#client-ip): the socket's, unless that is a trusted proxy; then the first untrusted one
 * of `X-Forwarded-For` from the right.
 * @param forwarded the values of the header, joined by commas
 * @returns undefined when a trusted proxy sent an invalid address
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwarded: string | undefined,
  trusted: AddressList,
): string | undefined {
  if (trusted.length === 0 && isIPv4(socketAddress ?? '')) return socketAddress
  const peer = parseAddress(socketAddress ?? '')
  if (!peer) return undefined
  let client = peer
  const hops = trusted.length > 0 && forwarded ? forwarded.split(',') : []
  while (hops.length > 0 && listContains(trusted, client)) {
    const hop = parseAddress(withoutPort(hops.pop() ?? ''))
    if (!hop) return undefined
    client = hop
  }
  return client.toString()
}

/** Some proxies send `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const text = hop.trim()
  return /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text
}
