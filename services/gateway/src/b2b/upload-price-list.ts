import { AppError } from '@partsbus/contracts/errors'
import { acceptUpload } from '@partsbus/contracts/pricing'
import { contractViolation, type Violations } from '@partsbus/contracts/violation'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayContext } from '../context.js'
import { Admission } from '../http/limits/admission.js'
import { withRequestScope } from '../http/request-calls.js'
import { checkForm } from '../uploads/check-form.js'
import { invalidFile } from '../uploads/invalid-file.js'
import { acceptTimeoutMs, withForm } from '../uploads/with-form.js'

/** Uploads at once in this process, most of which wait: to be read here, or for their turn in `pricing-import`. */
const UPLOADS = { requests: 240, bytes: 0 }

const UNKNOWN_ID = 'The selected id is invalid.'

/** `POST /upload-price-list` (partners.md#upload-1). 200: file and task are durable. */
export function uploadPriceList(ctx: GatewayContext) {
  const admission = new Admission(UPLOADS)
  return (request: FastifyRequest, reply: FastifyReply): Promise<unknown> =>
    admission.run(async () => {
      const bound = withRequestScope(ctx, request)
      try {
        const task_id = await withForm(ctx, request, reply, async (form, held) => {
          const { id: listId, violations } = readFormId(form.id)
          const unknown = (found: Violations): void => {
            found['id'] = [UNKNOWN_ID]
          }
          const file = await checkForm(bound, form, held, { listId, violations, unknown, mustBeActive: true })
          const accepted = await bound.calls.request(
            acceptUpload,
            { ...file, price_list_id: listId ?? 0 },
            { timeoutMs: acceptTimeoutMs(file.size), settings: held.call },
          )
          return accepted.task_id
        })
        return { result: true, message: 'Price list upload scheduled for import.', task_id }
      } catch (error) {
        throw forPartners(ctx, request, error)
      }
    })
}

/** The field `id` of a form: text, since a form carries nothing else. What is no id selects nothing (partners.md#upload-1). */
export function readFormId(text: string | undefined): { id: number | undefined; violations: Violations } {
  const sent = text?.trim() ?? ''
  if (sent === '') return { id: undefined, violations: { id: ['The id field is required.'] } }
  const id = /^\d+$/.test(sent) ? Number(sent) : Number.NaN
  if (!Number.isSafeInteger(id) || id < 1) return { id: undefined, violations: { id: [UNKNOWN_ID] } }
  return { id, violations: {} }
}

/** A partner learns that a file is not valid; why, is for the log and the administrator. */
function forPartners(ctx: Pick<GatewayContext, 'log'>, request: FastifyRequest, error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  if (error.code === 'NOT_FOUND') return contractViolation({ id: [UNKNOWN_ID] })
  if (error.code === 'STORE_FAILED')
    ctx.log.error({ err: error.cause ?? error, request_id: request.id }, 'upload could not be stored')
  if (error.code !== 'INVALID_FILE') return error
  const { reason = error.message } = (error.details ?? {}) as { reason?: string }
  ctx.log.info({ request_id: request.id, reason }, 'uploaded file refused')
  return invalidFile(reason)
}
