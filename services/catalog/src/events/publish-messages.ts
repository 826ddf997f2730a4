import type { CatalogContext } from '../context.js'
import type { EventMessage } from './event-messages.js'

/** Publishes one after the other. @throws when the stream is away */
export async function publishMessages(
  ctx: Pick<CatalogContext, 'publish'>,
  messages: readonly EventMessage[],
): Promise<void> {
  for (const { event, payload, id } of messages) await ctx.publish(event, payload, id)
}
