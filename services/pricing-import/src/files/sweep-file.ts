import type { PricingImportContext } from '../context.js'

/** Deletes a file that a killed process left without a task. */
export async function sweepFile(ctx: PricingImportContext, id: number): Promise<void> {
  if (await ctx.tasks.isFileUsed(id)) await ctx.files.use(id)
  else await ctx.files.delete(id)
}
