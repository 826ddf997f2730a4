import { AppError } from '@partsbus/contracts/app-error'
import {
  acceptPreviewed,
  acceptUpload,
  previewStored,
  previewUpload,
} from '@partsbus/contracts/pricing-import/commands'
import { previewAgain, previewedUpload } from '@partsbus/contracts/pricing-import/preview'
import { parseJson } from '@partsbus/platform/bus/call'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { requestSettings } from '../../auth/request-settings.js'
import type { GatewayContext } from '../../context.js'
import { isJson, readJsonBytes } from '@partsbus/http-guard/read-json-body'
import { Admission } from '@partsbus/http-guard/admission'
import { UploadQueue } from '@partsbus/http-guard/upload-queue'
import type { SettingsSnapshot } from '../../settings/settings-cache.js'
import { checkForm, type UploadedFile } from '../../uploads/check-form.js'
import { acceptTimeoutMs, withForm } from '../../uploads/with-form.js'
import { type AdminContext, adminContext } from '../admin-context.js'
import { callerKey } from '../authenticate-admin.js'
import { recordChange } from '../audit/record-change.js'
import { checkBody, notFound, readId } from '../resources/read-request.js'
import { type FormFields, readFormFields } from './form-fields.js'

/** Forms of administrators in this process, in addition to those of partners. */
const FORMS = { requests: 60, ofOne: 30, bytes: 0 }
const QUEUE = { active: 4, slow: 8, waiting: 50, slowAfterMs: 5_000, maxWaitMs: 60_000 }
/** Largest JSON body, in bytes: a draft of 16 KiB, escaped. */
const MAX_JSON_BYTES = 128 * 1024

type Context = GatewayContext & AdminContext

interface Work {
  /** whether an inactive list is refused */
  mustBeActive: boolean
  ofForm(ctx: Context, listId: number, file: UploadedFile & FormFields, settings: SettingsSnapshot): Promise<unknown>
  ofJson(ctx: Context, listId: number, body: unknown, settings: SettingsSnapshot): Promise<unknown>
}

/** `POST /price-lists/:id/upload` and `/preview` (admin.md#upload, admin.md#preview), each as a form or as JSON. */
export function priceListFiles(ctx: GatewayContext) {
  const admission = new Admission(FORMS)
  const queue = new UploadQueue(QUEUE)
  const receive = (request: FastifyRequest, reply: FastifyReply, work: Work): Promise<unknown> => {
    const scoped = adminContext(ctx, request)
    const listId = readId((request.params as { id?: string }).id)
    if (isJson(request))
      return ctx.admission.adminWaiting.receive(
        (reserve) => readJsonBytes(request, reply, reserve, MAX_JSON_BYTES),
        async (bytes) => work.ofJson(scoped, listId, parseJson(bytes), requestSettings(request)),
        { caller: callerKey(request) },
      )
    const receiveForm = (): Promise<unknown> =>
      withForm({ ...ctx, queue }, request, reply, async (form, settings) => {
        const violations = {}
        const fields = readFormFields(form, violations)
        const { mustBeActive } = work
        const unknown = (): never => {
          throw notFound()
        }
        const file = await checkForm(scoped, form, settings, { listId, violations, unknown, mustBeActive })
        return work.ofForm(scoped, listId, { ...file, ...fields }, settings)
      })
    return admission.run(receiveForm, callerKey(request))
  }
  const handler =
    (work: Work) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      try {
        return await receive(request, reply, work)
      } catch (error) {
        throw withReason(error)
      }
    }
  return { upload: handler(upload), preview: handler(preview) }
}

/** As the B2B upload, with the same response; the reason for which a file is refused is added. */
const upload: Work = {
  mustBeActive: true,
  ofForm: (ctx, price_list_id, { draft: _draft, ...file }, { call }) => {
    const { file_name, size, mode } = file
    const request = { ...file, price_list_id, created_by: ctx.caller.administrator.name }
    return schedule(ctx, { id: price_list_id, file_name, size, ...(mode && { mode }) }, () =>
      ctx.calls.request(acceptUpload, request, { timeoutMs: acceptTimeoutMs(size), settings: call }),
    )
  },
  ofJson: (ctx, price_list_id, body, { call }) => {
    const sent = checkBody(previewedUpload, body)
    const request = { ...sent, price_list_id, created_by: ctx.caller.administrator.name }
    return schedule(ctx, { id: price_list_id, ...sent }, () =>
      ctx.calls.request(acceptPreviewed, request, { timeoutMs: acceptTimeoutMs(0), settings: call }),
    )
  },
}

/** Reads the file as an import would, without importing it. */
const preview: Work = {
  mustBeActive: false,
  ofForm: (ctx, price_list_id, { mode: _mode, ...file }, { call }) =>
    ctx.calls.request(
      previewUpload,
      { ...file, price_list_id, kept_for: ctx.caller.administrator.id ?? undefined },
      { timeoutMs: acceptTimeoutMs(file.size), settings: call },
    ),
  ofJson: (ctx, price_list_id, body, { call, values }) =>
    ctx.calls.request(
      previewStored,
      { ...checkBody(previewAgain, body), price_list_id },
      { timeoutMs: acceptTimeoutMs(values['price-lists.import.max_file_size']), settings: call },
    ),
}

async function schedule(
  ctx: Context,
  details: Record<string, unknown>,
  make: () => Promise<{ task_id: number }>,
): Promise<object> {
  const { task_id } = await recordChange(ctx, {
    action: 'price-list.upload',
    details,
    make,
    resultDetails: (result) => result,
  })
  return { result: true, message: 'Price list upload scheduled for import.', task_id }
}

interface Refusal {
  reason?: string
  /** the message in the locale of the administrators */
  lead?: string
  /** what was read of the file */
  preview?: unknown
}

/** Tells the administrator why a file is not valid. */
function withReason(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'INVALID_FILE') return error
  const { reason, lead = error.message, preview } = (error.details ?? {}) as Refusal
  if (reason === undefined) return error
  return new AppError('INVALID_FILE', `${lead} ${reason}`, { details: { preview } })
}
