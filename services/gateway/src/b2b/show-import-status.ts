import { MAX_SMALL_BODY_BYTES } from '@partsbus/contracts/message'
import { texts } from '@partsbus/contracts/app-error'
import type { ImportTask } from '@partsbus/contracts/pricing-import/import-task'
import { getImportStatus } from '@partsbus/contracts/pricing-import/commands'
import type { CallSettings } from '@partsbus/contracts/administration/settings'
import { parseJson } from '@partsbus/platform/bus/call'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { addressKey } from '@partsbus/platform/net/address-key'
import { requestSettings } from '../auth/request-settings.js'
import { ifFound } from '@partsbus/platform/bus/if-found'
import type { GatewayContext } from '../context.js'
import { readOptionalJson } from '@partsbus/http-guard/read-json-body'
import { withRequestScope } from '../http/request-calls.js'

/** The documented 422, which has no `result` (partners.md#status-2). */
const INVALID_TASK = { message: texts.invalid, errors: { task_id: ['The selected task_id is invalid.'] } } as const

/** `POST /get-price-list-status` (partners.md#status-1). */
export function showImportStatus(ctx: GatewayContext) {
  return (request: FastifyRequest, reply: FastifyReply): Promise<unknown> =>
    ctx.admission.b2bOwn.receive(
      (reserve) => readOptionalJson(request, reply, reserve, MAX_SMALL_BODY_BYTES),
      async (body) => {
        const id = readTaskId(parseJson(body))
        const task =
          id === undefined
            ? undefined
            : await findTask(withRequestScope(ctx, request), id, requestSettings(request).call)
        if (task) return { result: true, message: 'OK', task }
        request.errorCode = 'CONTRACT_VIOLATION'
        reply.code(422)
        return INVALID_TASK
      },
      { caller: addressKey(request.address) },
    )
}

function readTaskId(body: unknown): number | undefined {
  const id =
    typeof body === 'object' && body !== null && Object.hasOwn(body, 'task_id')
      ? (body as { task_id: unknown }).task_id
      : undefined
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : undefined
}

function findTask(
  { calls }: Pick<GatewayContext, 'calls'>,
  id: number,
  settings: CallSettings,
): Promise<ImportTask | undefined> {
  return ifFound(calls.request(getImportStatus, { id }, { settings }))
}
