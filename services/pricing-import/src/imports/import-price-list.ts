import type { PricingImportContext } from '../context.js'
import type { LocalFile } from '../files/local-file.js'
import type { PriceListReader } from '../reading/price-list-reader.js'
import { keptCells } from '../tasks/skipped-row.js'
import { discardVersion } from './discard-version.js'
import { goLive, isSuperseded, type Switch } from './go-live.js'
import { ImportFailure } from './import-failure.js'
import type { ImportLease } from './import-lease.js'
import { copyLiveOffers } from './copy-live-offers.js'
import { writeRows } from './write-rows.js'

/**
 * Imports the file of a claimed task: count, write beside the live rows, switch (architecture.md#imports). May be broken off
 * anywhere and begun again by another worker, with the same outcome.
 * @throws ImportFailure, PriceFileError, NoLayout: the task has failed; LostImport, StoppedImport: it is not ours any more
 */
export async function importPriceList(
  ctx: PricingImportContext,
  lease: ImportLease,
  file: LocalFile,
  rows: PriceListReader,
): Promise<void> {
  const { task } = lease
  if (task.is_switching && (await wasSwitched(ctx, lease))) {
    await lease.fencedWrite(() => ctx.tasks.end(task, { status: 'completed' }))
    return
  }
  const count = await lease.orLost(rows.count(file, task.rules, task.mode === 'merge'))
  const header = count.header && { row: count.header.row, cells: keptCells(count.header.cells) }
  await lease.fencedWrite(() => ctx.tasks.save(task, { total_rows: count.total, header }))
  const counters = await writeRows(ctx, lease, rows)
  if (counters.imported_rows === 0) throw new ImportFailure(noRows(count.total))
  const outcome =
    task.mode === 'merge'
      ? await switchMerged(ctx, lease, rows, count.importable)
      : await switchReplaced(ctx, lease, counters.imported_rows)
  await lease.fencedWrite(() => ctx.tasks.end(task, { status: 'completed', superseded: outcome === 'superseded' }))
  if (outcome === 'superseded') await discardVersion(ctx, task)
}

/** Whether an earlier attempt got as far as the switch. If not, the task can be cancelled again. */
async function wasSwitched(ctx: PricingImportContext, lease: ImportLease): Promise<boolean> {
  const list = await lease.retryWhileDbDown(() => ctx.lists.find(lease.task.price_list_id))
  if (list?.versions.some(({ version }) => version === lease.task.id)) return true
  await lease.fencedWrite(() => ctx.tasks.save(lease.task, { is_switching: false }))
  return false
}

async function switchTo(ctx: PricingImportContext, lease: ImportLease, rows: number, base?: number): Promise<Switch> {
  // from here on it cannot be cancelled: a cancelled task must not have gone live
  await lease.fencedWrite(() => ctx.tasks.save(lease.task, { is_switching: true }))
  return goLive(ctx, lease, rows, base)
}

async function switchReplaced(ctx: PricingImportContext, lease: ImportLease, rows: number): Promise<Switch> {
  await requireRows(ctx, lease, rows)
  return switchTo(ctx, lease, rows)
}

/** A version goes live only if every one of its rows is there. */
async function requireRows(ctx: PricingImportContext, lease: ImportLease, rows: number): Promise<void> {
  const { id } = lease.task
  const stored = await lease.retryWhileDbDown(() => ctx.offers.count(id))
  if (stored !== rows) throw new Error(`version ${id} has ${stored} rows instead of ${rows}`)
}

async function switchMerged(
  ctx: PricingImportContext,
  lease: ImportLease,
  file: PriceListReader,
  importable: number,
): Promise<Switch> {
  const { id, price_list_id } = lease.task
  for (;;) {
    const list = await lease.retryWhileDbDown(() => ctx.lists.find(price_list_id))
    if (list?.versions.some(({ version }) => version === id)) return 'live'
    if (list && isSuperseded(list, lease.task)) return 'superseded'
    const base = list?.active_version ?? 0
    const copied = await copyLiveOffers(ctx, lease, base, file)
    const rows = copied + importable
    // a worker that was frozen while it copied from another base may have added to it
    await requireRows(ctx, lease, rows)
    const outcome = await switchTo(ctx, lease, rows, base)
    if (outcome !== 'changed') return outcome
    await lease.fencedWrite(() => ctx.tasks.save(lease.task, { is_switching: false }))
  }
}

function noRows(total: number): string {
  return total === 0
    ? 'The file contains no rows.'
    : `None of the ${total} rows could be imported. Each row needs an article, a brand and a quantity.`
}
