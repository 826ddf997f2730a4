import type { PricingImportContext } from '../context.js'

/** Deletes a task with its skipped rows, and its file when no other task is of it. */
export async function forgetTask(ctx: PricingImportContext, task: { id: number; file_id: number }): Promise<void> {
  await ctx.skippedRows.delete(task.id)
  // the task goes last: what is broken off here is begun again
  if (!(await ctx.tasks.isFileUsed(task.file_id, task.id))) await ctx.files.delete(task.file_id)
  await ctx.tasks.delete(task.id)
}
