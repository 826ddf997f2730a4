import { AppError, texts } from '@partsbus/contracts/errors'
import type { ImportTask } from '@partsbus/contracts/import-task'
import { getImportStatus } from '@partsbus/contracts/pricing'
import type { CallSettings } from '@partsbus/contracts/settings'
import { parseJson } from '@partsbus/platform/bus/call'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayContext } from '../context.js'
import { withRequestScope } from '../http/request-calls.js'
import { requestSettings } from '../http/request-state.js'
import { readOptionalJson } from '../http/body/read-optional-json.js'
import { MAX_BODY_BYTES } from './max-body.js'

/** The 422 of partners.md#status-2, without `result`. */
const INVALID_TASK = { message: texts.invalid, errors: { task_id: ['The selected task_id is invalid.'] } } as const

/** `POST /get-price-list-status` (partners.md#status). 422 when `task_id` is missing, of the wrong type or selects no task. */
export function showImportStatus(ctx: GatewayContext) {
  return (request: FastifyRequest, reply: FastifyReply): Promise<unknown> =>
    ctx.admission.run(async (hold) => {
      const id = taskIdIn(parseJson(await readOptionalJson(request, reply, hold, MAX_BODY_BYTES)))
      const task =
        id === undefined ? undefined : await findTask(withRequestScope(ctx, request), id, requestSettings(request).call)
      if (task) return { result: true, message: 'OK', task }
      request.errorCode = 'CONTRACT_VIOLATION'
      reply.code(422)
      return INVALID_TASK
    })
}

function taskIdIn(body: unknown): number | undefined {
  const id =
    typeof body === 'object' && body !== null && Object.hasOwn(body, 'task_id')
      ? (body as { task_id: unknown }).task_id
      : undefined
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : undefined
}

async function findTask(ctx: GatewayContext, id: number, settings: CallSettings): Promise<ImportTask | undefined> {
  try {
    return await ctx.calls.request(getImportStatus, { id }, { settings })
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined
    throw error
  }
}
