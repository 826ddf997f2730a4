import { roles } from '@partsbus/contracts/http/row'
import { AppError } from '@partsbus/contracts/app-error'
import type { FastifyRequest } from 'fastify'
import { requestAdministrator } from './administrators/request-administrator.js'

/**
 * Checks that the administrator may use the route (admin.md#roles). A route that names no role is the owner's.
 * @throws AppError FORBIDDEN
 */
export function assertRole(request: Pick<FastifyRequest, 'administrator' | 'routeOptions'>): void {
  const { role: least = 'owner' } = request.routeOptions.config
  if (least === 'nobody') return
  if (roles.indexOf(requestAdministrator(request).role) >= roles.indexOf(least)) return
  throw new AppError('FORBIDDEN', 'Your role does not allow this.')
}
