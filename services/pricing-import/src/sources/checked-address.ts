import { readAllowedHosts } from '@partsbus/platform/net/allowed-hosts'
import { ForbiddenAddress, HostAddresses, lookupAll } from '@partsbus/platform/net/host-addresses'
import { SourceFailure } from './source-failure.js'

const LOOKUP_MS = 10_000
export const NOT_RESOLVED = 'The name of the host cannot be resolved.'

export function notPublic(): SourceFailure {
  return new SourceFailure(
    'The address of the host is not public: whoever runs this server can allow it with SOURCE_ALLOWED_HOSTS.',
    'ADDRESS_FORBIDDEN',
  )
}

/**
 * The address to connect to, even if the name resolves to another one later.
 * @throws SourceFailure when the name has no address, or an address is neither public nor allowed
 */
export async function checkedAddress(hostname: string, port: number, allowedHosts: readonly string[]): Promise<string> {
  const rules = { reach: 'public', allowed: readAllowedHosts(allowedHosts) } as const
  try {
    const [address] = await new HostAddresses(lookupAll, LOOKUP_MS).resolve(hostname, port, rules)
    return address
  } catch (error) {
    if (error instanceof ForbiddenAddress) throw notPublic()
    throw new SourceFailure(NOT_RESOLVED, 'HOST_UNKNOWN')
  }
}
