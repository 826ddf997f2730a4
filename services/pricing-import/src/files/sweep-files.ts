import type { PricingImportContext } from '../context.js'

/** Deletes files that a killed process left without a task. */
export async function sweepFiles(ctx: PricingImportContext): Promise<void> {
  for (const id of await ctx.files.unused()) {
    if (await ctx.tasks.isFileUsed(id)) await ctx.files.use(id)
    else await ctx.files.delete(id)
  }
}
