import { streams } from '@partsbus/contracts/streams'
import { ensureStream } from '@partsbus/platform/bus/streams'
import { lateParentsSweep } from './categories/late-parents.js'
import type { CatalogContext } from './context.js'
import { sweepNotes } from './events/sweep-notes.js'

const STREAM_RETRY_MS = 1_000
const SWEEP_MS = 5_000

/** Background work that keeps what was promised when a process was killed or the stream away: events and late links. */
export function keepPromises(ctx: CatalogContext): void {
  let hasStream = false
  // the bus may come back without its streams
  ctx.parts.bus.onLoss(() => {
    hasStream = false
  })
  const openStream = async (): Promise<void> => {
    if (hasStream) return
    await ensureStream(ctx.parts.bus.nc, streams.events)
    hasStream = true
  }
  ctx.background.run('open stream', openStream)
  ctx.background.repeat('open stream', STREAM_RETRY_MS, openStream)
  ctx.background.repeat('sweep events', SWEEP_MS, () => sweepNotes(ctx))
  ctx.background.repeat('sweep late parents', SWEEP_MS, lateParentsSweep(ctx))
}
