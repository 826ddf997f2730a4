import { AppError } from '@partsbus/contracts/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayContext } from '../context.js'
import { requestSettings } from '../auth/request-settings.js'
import type { SettingsSnapshot } from '../settings/settings-cache.js'
import { type ReceivedForm, receiveForm } from './receive-form.js'

/** Milliseconds: at least, for every 2 MiB besides, and at most, since the caller's idle connection is closed after 120 s. */
const TAKE_OVER = { least: 60_000, perByte: 1_000 / (2 * 1024 * 1024), most: 110_000 }

/** How long `pricing-import` may take to read, check and keep a file of that many bytes. */
export function acceptTimeoutMs(size: number): number {
  return Math.min(TAKE_OVER.most, Math.round(TAKE_OVER.least + size * TAKE_OVER.perByte))
}

/**
 * Reads the form of a request and works on it. Where the work fails, its document is removed again. Only so many forms
 * are read at a time; the others wait without holding memory.
 */
export async function withForm<T>(
  ctx: Pick<GatewayContext, 'uploads' | 'uploadSlots'>,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (form: ReceivedForm, held: SettingsSnapshot) => Promise<T>,
): Promise<T> {
  const held = requestSettings(request)
  const maxFileSize = held.values['price-lists.import.max_file_size']
  const form = await whileConnected(request, (closed) =>
    ctx.uploadSlots.run(closed, () => receiveForm(request, reply, ctx.uploads, maxFileSize)),
  )
  try {
    return await work(form, held)
  } catch (error) {
    if (form.document?.kind === 'stored') ctx.uploads.drop(form.document.object)
    throw error
  }
}

/** A client that left while its form waited is not waited for. */
async function whileConnected<T>({ raw }: FastifyRequest, work: (closed: AbortSignal) => Promise<T>): Promise<T> {
  const closed = new AbortController()
  const close = (): void => closed.abort(new AppError('MALFORMED', 'The request body is not a valid multipart form.'))
  raw.once('close', close)
  if (raw.destroyed) close()
  try {
    return await work(closed.signal)
  } finally {
    raw.off('close', close)
  }
}
