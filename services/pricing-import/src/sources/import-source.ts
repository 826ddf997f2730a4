import { Injectable } from '@nestjs/common'
import { AppError, texts } from '@partsbus/contracts/app-error'
import { PriceListStore } from '../price-lists/price-list-store.js'
import { isDue } from './due-source.js'
import { FetchAndImport } from './fetch-and-import.js'
import { RecordRun } from './record-run.js'
import type { RunResult, SourceRun } from './source-run.js'

const interrupted: RunResult = {
  outcome: 'failed',
  message: 'The fetch was interrupted: the service or its database went down while it ran.',
  task_id: null,
}
const notDue: RunResult = { outcome: 'unchanged', message: 'The source was fetched a moment ago.', task_id: null }
@Injectable()
export class ImportSource {
  constructor(
    private readonly lists: PriceListStore,
    private readonly fetch: FetchAndImport,
    private readonly record: RecordRun,
  ) {}

  /**
   * Fetches a source and creates an import task when the file changed. A failure of the fetch is a result, recorded as
   * `last_run`. The caller ensures that a source has one run at a time.
   * Started (`run_began_at`) → recorded (`last_run`), or interrupted (the service stops: `run_began_at` is cleared).
   * @throws AppError UNAVAILABLE when it was interrupted, or while the database is down
   */
  async importSource(run: SourceRun): Promise<RunResult> {
    const { listId, sourceId } = run
    const list = await this.lists.find(listId)
    if (!list) throw new AppError('NOT_FOUND', texts.notFound)
    const source = list.sources.find(({ id }) => id === sourceId)
    if (!source) return { outcome: 'failed', message: 'The source is no longer there.', task_id: null }
    const crashed = source.state.run_began_at
    if (crashed) {
      await this.record.recordRun({ list, source, began: crashed, result: interrupted, state: {} })
      if (run.isScheduled) return interrupted
    }
    const began = (await this.lists.now()).getTime()
    if (run.isScheduled && !isDue(source, began)) return notDue
    const began_at = new Date(began).toISOString()
    await this.record.updateState(source, list, (state) => ({ ...state, run_began_at: began_at }))
    try {
      const { result, state } = await this.fetch.fetchAndImport(list, source, run)
      if (run.stop.aborted) throw new AppError('UNAVAILABLE', texts.unavailable)
      await this.record.recordRun({ list, source, began: began_at, result, state })
      return result
    } catch (error) {
      // the source stays due; if the database is down, the next run finds this one without an outcome
      await this.record
        .updateState(source, list, (before) => ({ ...before, run_began_at: null }))
        .catch(() => undefined)
      throw error
    }
  }
}
