import type { PricingImportContext } from '../context.js'
import type { LocalFile } from '../files/local-file.js'
import type { CagedRows } from '../reading/caged-rows.js'
import { keptCells } from '../tasks/skipped-row.js'
import { goLive, type Switch } from './go-live.js'
import { ImportFailure } from './import-failure.js'
import type { ListHold } from './list-hold.js'
import { copyLiveOffers } from './copy-live-offers.js'
import { writeRows } from './write-rows.js'

/**
 * Imports the file of a claimed task: count, write beside the live rows, switch (architecture.md#imports). May be broken off
 * anywhere and begun again by another worker, with the same outcome.
 * @throws ImportFailure, PriceFileError, NoLayout: the task has failed; LostImport, StoppedImport: it is not ours any more
 */
export async function importPriceList(
  ctx: PricingImportContext,
  hold: ListHold,
  file: LocalFile,
  rows: CagedRows,
): Promise<void> {
  const { task } = hold
  const count = await hold.during(rows.count(file, task.rules, task.mode === 'merge'))
  const header = count.header && { row: count.header.row, cells: keptCells(count.header.cells) }
  await hold.must(() => ctx.tasks.save(task, { total_rows: count.total, header }))
  const counters = await writeRows(ctx, hold, rows)
  if (counters.imported_rows === 0) throw new ImportFailure(noRows(count.total))
  const outcome =
    task.mode === 'merge'
      ? await switchMerged(ctx, hold, rows, count.importable)
      : await switchTo(ctx, hold, counters.imported_rows)
  if (outcome === 'superseded') await hold.reach(() => ctx.lists.remove(task.price_list_id, task.id))
  await hold.must(() => ctx.tasks.end(task, { status: 'completed', superseded: outcome === 'superseded' }))
}

async function switchTo(ctx: PricingImportContext, hold: ListHold, rows: number, base?: number): Promise<Switch> {
  // from here on it cannot be cancelled: a cancelled task must not have gone live
  await hold.must(() => ctx.tasks.save(hold.task, { is_switching: true }))
  return goLive(ctx, hold, rows, base)
}

async function switchMerged(
  ctx: PricingImportContext,
  hold: ListHold,
  file: CagedRows,
  importable: number,
): Promise<Switch> {
  const { id, price_list_id } = hold.task
  for (;;) {
    const list = await hold.reach(() => ctx.lists.find(price_list_id))
    if (list?.versions.some(({ version }) => version === id)) return 'live'
    const base = list?.active_version ?? 0
    const copied = await copyLiveOffers(ctx, hold, base, file)
    const rows = copied + importable
    // a worker that was frozen while it copied from another base may have added to it
    if ((await hold.reach(() => ctx.offers.count(id))) !== rows)
      throw new Error(`The merged version ${id} does not hold ${rows} rows`)
    const outcome = await switchTo(ctx, hold, rows, base)
    if (outcome !== 'changed') return outcome
    await hold.must(() => ctx.tasks.save(hold.task, { is_switching: false }))
  }
}

function noRows(total: number): string {
  return total === 0
    ? 'The file holds no rows.'
    : `None of the ${total} rows could be imported: each needs an article, a brand and a quantity. The skipped rows say what is missing.`
}
