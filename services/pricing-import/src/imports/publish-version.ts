import { isDeepStrictEqual } from 'node:util'
import { Injectable } from '@nestjs/common'
import type { ImportTaskRecord } from '../import-tasks/import-task-record.js'
import { TaskStore } from '../import-tasks/task-store.js'
import { OfferStore } from '../offers/offer-store.js'
import type { KeptVersion, PriceListRecord } from '../price-lists/price-list-record.js'
import { PriceListStore } from '../price-lists/price-list-store.js'
import type { PriceListReader } from '../reading/price-list-reader.js'
import { hasEnoughRows, liveRows } from '../versions/enough-rows.js'
import { VersionStore } from '../versions/version-store.js'
import { CopyLiveOffers } from './copy-live-offers.js'
import { ImportFailure, LostImport } from './import-errors.js'
import type { ImportLease } from './import-lease.js'

/** A merge copies again when another one went live meanwhile; copyings of a later attempt have higher numbers. */
const COPYINGS_OF_ATTEMPT = 1_000_000

/** Imports that a version names as merged into it. */
const MAX_MERGED = 100

/** Result of a switch. `changed`: a merge whose base is no longer the active version must start again. */
type Switch = 'live' | 'superseded' | 'changed'

/** Makes the version of a written import live (rules.md#switch, rules.md#newest-wins). */
@Injectable()
export class PublishVersion {
  constructor(
    private readonly lists: PriceListStore,
    private readonly versions: VersionStore,
    private readonly tasks: TaskStore,
    private readonly offers: OfferStore,
    private readonly copies: CopyLiveOffers,
  ) {}

  /** Whether an earlier attempt got as far as the switch. If not, the task can be cancelled again. */
  async wasPublished(lease: ImportLease): Promise<boolean> {
    if (!lease.task.is_switching) return false
    const list = await lease.retryWhileDbDown(() => this.lists.find(lease.task.price_list_id))
    if (list?.versions.some(({ version }) => version === lease.task.id)) return true
    await lease.fencedWrite(() => this.tasks.save(lease.task, { is_switching: false }))
    return false
  }

  /**
   * @param rows offers that the file gave
   * @throws ImportFailure when `min_rows_ratio` refuses the version
   */
  async publishVersion(lease: ImportLease, reader: PriceListReader, rows: number): Promise<'live' | 'superseded'> {
    if (lease.task.mode === 'merge') return this.publishMerged(lease, reader, rows)
    await this.assertComplete(lease, rows)
    return (await this.switchTo(lease, rows)) === 'live' ? 'live' : 'superseded'
  }

  private async publishMerged(
    lease: ImportLease,
    reader: PriceListReader,
    importable: number,
  ): Promise<'live' | 'superseded'> {
    const { id, price_list_id, attempt } = lease.task
    for (let copying = (attempt - 1) * COPYINGS_OF_ATTEMPT; ; copying += 1) {
      const list = await lease.retryWhileDbDown(() => this.lists.find(price_list_id))
      if (list?.versions.some(({ version }) => version === id)) return 'live'
      if (list && isSuperseded(list, lease.task)) return 'superseded'
      const base = list?.active_version ?? 0
      const rows = importable + (await this.copies.copyLiveOffers(lease, base, copying, reader))
      await this.assertComplete(lease, rows)
      const outcome = await this.switchTo(lease, rows, base)
      if (outcome !== 'changed') return outcome
      await lease.fencedWrite(() => this.tasks.save(lease.task, { is_switching: false }))
    }
  }

  /** A version goes live only with all of its rows. */
  private async assertComplete(lease: ImportLease, rows: number): Promise<void> {
    const { id } = lease.task
    const stored = await lease.retryWhileDbDown(() => this.offers.count(id))
    if (stored !== rows) throw new Error(`version ${id} has ${stored} rows instead of ${rows}`)
  }

  /** @param base for a merge the version it started from */
  private async switchTo(lease: ImportLease, rows: number, base?: number): Promise<Switch> {
    const { id, price_list_id, min_rows_ratio, mode } = lease.task
    // from here on it cannot be cancelled: a cancelled task must not go live
    await lease.fencedWrite(() => this.tasks.save(lease.task, { is_switching: true }))
    for (;;) {
      const list = await lease.retryWhileDbDown(() => this.lists.find(price_list_id))
      if (!list) throw new LostImport()
      if (list.versions.some(({ version }) => version === id)) return 'live'
      if (isSuperseded(list, lease.task)) return 'superseded'
      if (base !== undefined && list.active_version !== base) return 'changed'
      if (list.removed.some(({ version }) => version === id))
        throw new ImportFailure(
          'WITHDRAWN',
          'The import was withdrawn before it could be published. Upload the file again.',
        )
      assertEnoughRows(list, rows, min_rows_ratio)
      const settings = settingsOf(lease.task, list, base)
      const merged = base ? { merged: mergedImports(list, base) } : {}
      const fresh = { version: id, rows, ...merged, ...(settings && { settings }) }
      if (await lease.retryWhileDbDown(() => this.versions.goLive(list, lease.owner, fresh, mode === 'replace')))
        return 'live'
      // the list has changed, or the lease was lost, for which the next write throws
      await lease.fencedWrite(() => lease.renew())
    }
  }
}

/**
 * Whether the upload is older than a rollback or than a live replacement. A merge that is older than another merge is
 * still merged into the live version.
 */
function isSuperseded(list: PriceListRecord, { id, mode }: Pick<ImportTaskRecord, 'id' | 'mode'>): boolean {
  return id <= list.superseded_through || (mode === 'replace' && id < list.highest_live)
}

/** Of all offers of the version: none where a merge takes over offers that were made with others. */
function settingsOf(
  { rules: { markup_percent, delivery_days } }: Pick<ImportTaskRecord, 'rules'>,
  { versions }: PriceListRecord,
  base: number | undefined,
): KeptVersion['settings'] {
  const settings = { markup_percent, delivery_days }
  if (!base) return settings
  const before = versions.find(({ version }) => version === base)?.settings
  return before && isDeepStrictEqual(before, settings) ? settings : undefined
}

/** The imports whose offers a merge takes over from its base. */
function mergedImports({ versions }: PriceListRecord, base: number): number[] {
  const before = versions.find(({ version }) => version === base)?.merged ?? []
  return [...before, base].slice(-MAX_MERGED)
}

/**
 * The guard of a list (rules.md#rows-guard).
 * @throws ImportFailure when `min_rows_ratio` rejects the version
 */
function assertEnoughRows(list: PriceListRecord, rows: number, ratio: number | null): void {
  const live = liveRows(list)
  if (ratio === null || hasEnoughRows(rows, live, ratio)) return
  throw new ImportFailure(
    'TOO_FEW_ROWS',
    `The new list has ${rows} rows and the active one ${live}, which is below the configured minimum of ` +
      `${percent(ratio)}. The previous version remains active.`,
  )
}

function percent(ratio: number): string {
  return `${Number((ratio * 100).toFixed(2))} %`
}
