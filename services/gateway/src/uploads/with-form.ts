import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayContext } from '../context.js'
import { admittedUnder } from '../http/request-state.js'
import type { HeldSettings } from '../settings/settings-holder.js'
import { type ReceivedForm, receiveForm } from './receive-form.js'

/** How long `pricing-import` may take to read, check and keep a file. */
export const TAKE_OVER_MS = 60_000

/** Reads the form of a request and works on it. Where the work fails, its document is removed again. */
export async function withForm<T>(
  ctx: Pick<GatewayContext, 'uploads'>, request: FastifyRequest, reply: FastifyReply, work: (form: ReceivedForm, held: HeldSettings) => Promise<T>,
): Promise<T> {
  const held = admittedUnder(request)
  const form = await receiveForm(request, reply, ctx.uploads, held.values['price-lists.import.max_file_size'])
  try {
    return await work(form, held)
  } catch (error) {
    if (form.document?.kind === 'stored') ctx.uploads.drop(form.document.object)
    throw error
  }
}
