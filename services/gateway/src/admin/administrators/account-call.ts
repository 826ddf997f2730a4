import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SettingsSnapshot } from '../../settings/settings-cache.js'
import type { AdminContext } from '../admin-context.js'
import { toAppError } from '@partsbus/platform/mongo/to-app-error'
import type { Accounts } from './accounts.js'

/** A call of the admin API that the gateway's own collections answer. */
export interface AccountCall<Body = unknown> {
  ctx: AdminContext & { accounts: Accounts }
  body: Body
  settings: SettingsSnapshot
  request: FastifyRequest
  reply: FastifyReply
}

/** @throws AppError UNAVAILABLE at once while the database is down, instead of an error of the driver */
export async function withDatabase<Result>(
  { mongo }: Pick<AdminContext, 'mongo'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const unavailable = mongo.unavailable()
  if (unavailable) throw unavailable
  try {
    return await work()
  } catch (error) {
    throw toAppError(error)
  }
}
