import { AppError } from '@partsbus/contracts/errors'
import { acceptUpload, previewUpload } from '@partsbus/contracts/pricing-import/commands'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayContext } from '../../context.js'
import { Admission } from '../../http/limits/admission.js'
import { UploadQueue } from '../../http/limits/upload-queue.js'
import type { SettingsSnapshot } from '../../settings/settings-cache.js'
import { checkForm, type UploadedFile } from '../../uploads/check-form.js'
import { acceptTimeoutMs, withForm } from '../../uploads/with-form.js'
import { type AdminContext, adminContext } from '../admin-context.js'
import { notFound, readId } from '../resources/read-request.js'
import { recordChange } from '../audit/record-change.js'

/** Forms of administrators in this process, in addition to those of partners. */
const FORMS = { requests: 60, bytes: 0 }
const QUEUE = { active: 4, slow: 8, waiting: 50, slowAfterMs: 5_000, maxWaitMs: 60_000 }

type Context = GatewayContext & AdminContext

/** `POST /price-lists/:id/upload` and `/preview` (admin.md#upload, admin.md#preview). */
export function priceListForms(ctx: GatewayContext) {
  const admission = new Admission(FORMS)
  const queue = new UploadQueue(QUEUE)
  const handler =
    (
      mustBeActive: boolean,
      work: (ctx: Context, file: UploadedFile, listId: number, settings: SettingsSnapshot) => Promise<unknown>,
    ) =>
    (request: FastifyRequest, reply: FastifyReply): Promise<unknown> =>
      admission.run(async () => {
        const scoped = adminContext(ctx, request)
        const listId = readId((request.params as { id?: string }).id)
        try {
          return await withForm({ ...ctx, queue }, request, reply, async (form, settings) => {
            const file = await checkForm(scoped, form, settings, {
              listId,
              violations: {},
              unknown: () => {
                throw notFound()
              },
              mustBeActive,
            })
            return work(scoped, file, listId, settings)
          })
        } catch (error) {
          throw withReason(error)
        }
      })
  return {
    /** As the B2B upload, with the same response; the reason for which a file is refused is added. */
    upload: handler(true, async (ctx, file, price_list_id, { call }) => {
      const { task_id } = await recordChange(ctx, {
        action: 'price-list.upload',
        details: { id: price_list_id, file_name: file.file_name, size: file.size },
        make: () =>
          ctx.calls.request(
            acceptUpload,
            { ...file, price_list_id },
            { timeoutMs: acceptTimeoutMs(file.size), settings: call },
          ),
        resultDetails: (result) => result,
      })
      return { result: true, message: 'Price list upload scheduled for import.', task_id }
    }),
    /** Reads the file as an import would, without importing it. */
    preview: handler(false, (ctx, file, price_list_id, { call }) =>
      ctx.calls.request(
        previewUpload,
        { ...file, price_list_id },
        { timeoutMs: acceptTimeoutMs(file.size), settings: call },
      ),
    ),
  }
}

/** Tells the administrator why a file is not valid. */
function withReason(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'INVALID_FILE') return error
  const { reason } = (error.details ?? {}) as { reason?: string }
  return reason === undefined ? error : new AppError('INVALID_FILE', `${error.message} ${reason}`)
}
