import { AppError } from '@partsbus/contracts/app-error'
import { acceptUpload } from '@partsbus/contracts/pricing-import/commands'
import { contractViolation, type Violations } from '@partsbus/contracts/violation'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { addressKey } from '@partsbus/platform/net/address-key'
import type { GatewayContext } from '../context.js'
import { Admission } from '@partsbus/http-guard/admission'
import { UploadQueue } from '@partsbus/http-guard/upload-queue'
import { withRequestScope } from '../http/request-calls.js'
import { checkForm } from '../uploads/check-form.js'
import { invalidFile } from '../uploads/invalid-file.js'
import { acceptTimeoutMs, withForm } from '../uploads/with-form.js'

/**
 * Uploads of partners in this process, most of which wait (partners.md#upload-5): to be received, or for their turn in
 * `pricing-import`. One address has three quarters of them at most.
 */
const UPLOADS = { requests: 600, ofOne: 450, bytes: 0 }
/** Uploads that `pricing-import` checks and stores at once; a service that has more of them waiting counts as busy. */
const ACCEPTS = { active: 16, slow: 0, waiting: 600, slowAfterMs: 60_000, maxWaitMs: 60_000 }
const QUEUE = { active: 32, slow: 64, waiting: 600, slowAfterMs: 5_000, maxWaitMs: 60_000 }

const UNKNOWN_ID = 'The selected id is invalid.'

/** `POST /upload-price-list` (partners.md#upload). On 200 the file and its task are durable. */
export function uploadPriceList(ctx: GatewayContext) {
  const admission = new Admission(UPLOADS)
  const accepts = new UploadQueue(ACCEPTS)
  const queue = new UploadQueue(QUEUE)
  const receive = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const scoped = withRequestScope(ctx, request)
    try {
      const task_id = await withForm({ ...ctx, queue }, request, reply, async (form, settings) => {
        const { id: listId, violations } = parseFormId(form.id)
        const unknown = (found: Violations): void => {
          found['id'] = [UNKNOWN_ID]
        }
        const file = await checkForm(scoped, form, settings, { listId, violations, unknown, mustBeActive: true })
        const accepted = await accepts.run(request, () =>
          scoped.calls.request(
            acceptUpload,
            { ...file, price_list_id: listId ?? 0 },
            { timeoutMs: acceptTimeoutMs(file.size), settings: settings.call },
          ),
        )
        return accepted.task_id
      })
      return { result: true, message: 'Price list upload scheduled for import.', task_id }
    } catch (error) {
      throw forPartners(ctx, request, error)
    }
  }
  return (request: FastifyRequest, reply: FastifyReply): Promise<unknown> =>
    admission.run(() => receive(request, reply), addressKey(request.address))
}

/**
 * The field `id` of a form (partners.md#upload-1), a text in decimal without sign, spaces or leading zeros: types are
 * not coerced (rules.md#values-types). A blank field is a missing one; any other text selects no price list.
 */
export function parseFormId(text: string | undefined): { id: number | undefined; violations: Violations } {
  if (text === undefined || text.trim() === '') {
    return { id: undefined, violations: { id: ['The id field is required.'] } }
  }
  const id = /^[1-9]\d*$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(id)) return { id: undefined, violations: { id: [UNKNOWN_ID] } }
  return { id, violations: {} }
}

/** Partners only learn that a file is not valid; the reason is for the log and the administrator. */
function forPartners(ctx: Pick<GatewayContext, 'log'>, request: FastifyRequest, error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  if (error.code === 'NOT_FOUND') return contractViolation({ id: [UNKNOWN_ID] })
  if (error.code === 'STORE_FAILED')
    ctx.log.error({ err: error.cause ?? error, request_id: request.id, api: 'b2b' }, 'upload not stored')
  if (error.code !== 'INVALID_FILE') return error
  const { reason = error.message } = (error.details ?? {}) as { reason?: string }
  ctx.log.info({ request_id: request.id, api: 'b2b', reason }, 'uploaded file refused')
  return invalidFile(reason)
}
