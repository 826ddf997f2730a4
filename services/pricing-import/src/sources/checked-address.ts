import { mayConnect } from '@partsbus/platform/net/address-guard'
import { readAllowedHosts } from '@partsbus/platform/net/allowed-hosts'
import { HostAddresses, lookupAll } from '@partsbus/platform/net/host-addresses'
import { SourceFailure } from './source-failure.js'

export const NOT_RESOLVED = 'The name of the host cannot be resolved.'

export function notPublic(): SourceFailure {
  return new SourceFailure('The address of the host is not public.')
}

/**
 * The address to connect to, whatever the name resolves to by then. One forbidden address among several is enough to refuse:
 * which of them is asked is not ours to choose.
 * @throws SourceFailure when there is none, or it is not public and not allowed
 */
export async function checkedAddress(hostname: string, port: number, allowedHosts: readonly string[]): Promise<string> {
  const allowed = readAllowedHosts(allowedHosts)
  const addresses = await new HostAddresses(lookupAll).of(hostname).catch(() => [])
  const [first] = addresses
  if (first === undefined) throw new SourceFailure(NOT_RESOLVED)
  if (addresses.some((address) => !mayConnect(address, { hostname, port }, allowed))) throw notPublic()
  return first
}
