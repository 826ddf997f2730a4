import type { AdminPath, BodyOf, QueryOf } from '@partsbus/contracts/http/admin'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayContext } from '../context.js'
import type { SettingsSnapshot } from '../settings/settings-cache.js'
import type { AdminContext } from './admin-context.js'

/** A request that passed the checks of its row. */
export interface AdminCall<Path extends AdminPath> {
  /** its calls to services belong to the request, and its changes to the administrator */
  ctx: GatewayContext & AdminContext
  query: QueryOf<Path>
  body: BodyOf<Path>
  params: Record<string, unknown>
  /** the revisions that a change accepts; absent: any */
  ifMatch: number[] | undefined
  settings: SettingsSnapshot
  request: FastifyRequest
  reply: FastifyReply
}
