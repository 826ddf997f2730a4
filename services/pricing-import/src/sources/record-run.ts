import { Inject, Injectable } from '@nestjs/common'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { ImportMetrics } from '../imports/import-metrics.js'
import type { PriceListRecord, SourceState, StoredSource } from '../price-lists/price-list-record.js'
import { PriceListStore } from '../price-lists/price-list-store.js'
import { isSameFile } from './source-identity.js'
import type { RunResult } from './source-run.js'

export interface FinishedRun {
  list: PriceListRecord
  source: StoredSource
  began: string
  result: RunResult
  state: Partial<SourceState>
}

/** Stores the state of a source in its list. */
@Injectable()
export class RecordRun {
  constructor(
    private readonly lists: PriceListStore,
    private readonly metrics: ImportMetrics,
    @Inject(LOG) private readonly log: Log,
  ) {}

  async recordRun({ list, source, began, result, state }: FinishedRun): Promise<void> {
    await this.updateState(source, list, (before, isSameFile) => ({
      ...before,
      ...(isSameFile && state),
      ...failuresInRow(before, began, result),
      run_began_at: null,
      last_run: { at: began, ...result },
    }))
    this.metrics.sourceRuns.inc({ kind: source.kind, outcome: result.outcome })
    this.log.info(
      { list: list.id, source: source.id, outcome: result.outcome, reason: result.message, task: result.task_id },
      'source fetched',
    )
  }

  /**
   * Updates the state of a source, unless it was deleted meanwhile.
   * @param update its second argument is false when the source was changed to another file meanwhile
   */
  async updateState(
    ran: StoredSource,
    seen: PriceListRecord,
    update: (state: SourceState, isSameFile: boolean) => SourceState,
  ): Promise<void> {
    for (let list = await this.lists.find(seen.id); list; list = await this.lists.find(seen.id)) {
      const source = list.sources.find(({ id }) => id === ran.id)
      if (!source) return
      if (await this.lists.updateSourceState(list, ran.id, update(source.state, isSameFile(source, ran)))) return
    }
  }
}

function failuresInRow(
  before: SourceState,
  began: string,
  { outcome }: RunResult,
): { failing_since?: string | undefined; failures?: number | undefined } {
  if (outcome !== 'failed') return { failing_since: undefined, failures: undefined }
  return { failing_since: before.failing_since ?? began, failures: (before.failures ?? 0) + 1 }
}
