import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayContext } from '../context.js'
import { watchMinimumRate } from '@partsbus/http-guard/minimum-rate'
import type { UploadQueue } from '@partsbus/http-guard/upload-queue'
import { requestSettings } from '../auth/request-settings.js'
import type { SettingsSnapshot } from '../settings/settings-cache.js'
import { type ReceivedForm, receiveForm } from './receive-form.js'

/** In ms: the minimum, per byte (1 s for 2 MiB), and the maximum, because an idle connection is closed after 120 s. */
const ACCEPT = { least: 60_000, perByte: 1_000 / (2 * 1024 * 1024), most: 110_000 }

/** Time limit of `pricing-import` for reading, checking and storing a file of this size, in ms. */
export function acceptTimeoutMs(size: number): number {
  return Math.min(ACCEPT.most, Math.round(ACCEPT.least + size * ACCEPT.perByte))
}

/** Receives the form of a request through the queue and passes it to `work`. If that fails, its document is deleted. */
export async function withForm<T>(
  ctx: Pick<GatewayContext, 'uploads'> & { queue: UploadQueue },
  request: FastifyRequest,
  reply: FastifyReply,
  work: (form: ReceivedForm, settings: SettingsSnapshot) => Promise<T>,
): Promise<T> {
  const settings = requestSettings(request)
  const maxFileSize = settings.values['price-lists.import.max_file_size']
  const form = await ctx.queue.run(request, (signal) => {
    const rate = watchMinimumRate(request.raw)
    return receiveForm(request, reply, ctx.uploads, maxFileSize, AbortSignal.any([rate.signal, signal])).finally(
      rate.stop,
    )
  })
  try {
    return await work(form, settings)
  } catch (error) {
    if (form.document?.kind === 'stored') ctx.uploads.drop(form.document.object)
    throw error
  }
}
