import type { PricingImportContext } from '../context.js'

/** A worker that was frozen may write into a version after it was deleted; deleting again for a while catches that. */
const FORGET_AFTER_MS = 15 * 60_000

/** Deletes the rows of dropped versions, a minute after they were dropped: readers that asked for the version may still be at it. */
export async function removeVersions(ctx: PricingImportContext): Promise<void> {
  const { IMPORT_REMOVE_AFTER_MS } = ctx.config
  const now = await ctx.clock()
  for (const { list, version, at } of await ctx.versions.removedBefore(new Date(now - IMPORT_REMOVE_AFTER_MS))) {
    await ctx.offers.delete(version)
    if (now - at.getTime() > FORGET_AFTER_MS + IMPORT_REMOVE_AFTER_MS) await ctx.versions.forgetRemoved(list, version)
  }
}
