import { mayConnect } from '@partsbus/platform/net/address-guard'
import { readAllowedHosts } from '@partsbus/platform/net/allowed-hosts'
import { HostAddresses, lookupAll } from '@partsbus/platform/net/host-addresses'
import { SourceFailure } from './source-failure.js'

export const NOT_RESOLVED = 'The name of the host cannot be resolved.'

export function notPublic(): SourceFailure {
  return new SourceFailure('The address of the host is not public.')
}

/**
 * The address to connect to, even if the name resolves to another one later. One forbidden address among several is
 * enough to refuse.
 * @throws SourceFailure when the name has no address, or an address is neither public nor allowed
 */
export async function checkedAddress(hostname: string, port: number, allowedHosts: readonly string[]): Promise<string> {
  const allowed = readAllowedHosts(allowedHosts)
  const addresses = await new HostAddresses(lookupAll).of(hostname).catch(() => [])
  const [first] = addresses
  if (first === undefined) throw new SourceFailure(NOT_RESOLVED)
  if (addresses.some((address) => !mayConnect(address, { hostname, port }, allowed))) throw notPublic()
  return first
}
