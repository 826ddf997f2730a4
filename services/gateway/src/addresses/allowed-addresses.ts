import { AppError } from '@partsbus/contracts/app-error'
import { listContains, parseAddress, parseAddressList } from '@partsbus/platform/net/address-list'
import type { FastifyInstance } from 'fastify'

/**
 * Refuses requests from other addresses before anything else is done for them (admin.md#allowed-addresses).
 * @param allowed addresses and CIDRs; none: no restriction
 */
export function limitAddresses(routes: FastifyInstance, allowed: readonly string[]): void {
  if (allowed.length === 0) return
  const list = parseAddressList(allowed)
  routes.addHook('onRequest', async (request) => {
    const address = parseAddress(request.address ?? '')
    if (!address || !listContains(list, address))
      throw new AppError('FORBIDDEN', 'Access from this IP address is not allowed for administrators.')
  })
}
