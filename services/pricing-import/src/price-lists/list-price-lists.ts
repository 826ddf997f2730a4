import { Controller } from '@nestjs/common'
import type { Page } from '@partsbus/contracts/paging'
import { listPriceLists as contract } from '@partsbus/contracts/pricing-import/commands'
import type { PriceListRow } from '@partsbus/contracts/pricing-import/price-list'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import type { ImportTaskRecord } from '../import-tasks/import-task-record.js'
import { TaskStore } from '../import-tasks/task-store.js'
import { nextRunAt } from '../sources/due-source.js'
import type { PriceListRecord } from './price-list-record.js'
import { PriceListStore } from './price-list-store.js'
import type { Locale } from '../texts/skip-texts.js'
import { priceListView } from './price-list-view.js'

@Controller()
export class ListPriceLists {
  constructor(
    private readonly lists: PriceListStore,
    private readonly tasks: TaskStore,
  ) {}

  /** Lists with their live version, their newest import, and their next fetch (admin.md#price-lists-list). */
  @Handles(contract)
  async listPriceLists(call: CallOf<typeof contract>): Promise<Page<PriceListRow>> {
    const { page, per_page, problem = false, ...filter } = call.body
    const found = await this.lists.list(filter)
    const now = (await this.lists.now()).getTime()
    const onPage = <Row>(rows: Row[]): Row[] => rows.slice((page - 1) * per_page, page * per_page)
    const wanted = problem ? found : onPage(found)
    const newest = await this.tasks.newestOf(wanted.map(({ id }) => id))
    const rows = wanted.map((list) => ({ list, task: newest.get(list.id) }))
    const withProblem = rows.filter(({ list, task }) => hasProblem(list, task))
    return {
      data: (problem ? onPage(withProblem) : rows).map(({ list, task }) =>
        rowView(list, task, now, call.settings.admin_locale),
      ),
      total: problem ? withProblem.length : found.length,
      page,
      per_page,
    }
  }
}

/** An import that an administrator cancelled is no problem, nor is a source that is not fetched. */
function hasProblem({ is_active, sources }: PriceListRecord, task: ImportTaskRecord | undefined): boolean {
  if (task?.status === 'failed' && task.error_code !== 'CANCELLED') return true
  return is_active && sources.some((source) => source.is_active && source.state.last_run?.outcome === 'failed')
}

function rowView(list: PriceListRecord, task: ImportTaskRecord | undefined, now: number, locale: Locale): PriceListRow {
  const live = list.versions.find(({ version }) => version === list.active_version)
  const runs = list.is_active ? list.sources.filter(({ is_active }) => is_active) : []
  const next = Math.min(...runs.map((source) => nextRunAt(source, now)))
  return {
    ...priceListView(list, locale),
    live: live
      ? { version: live.version, rows: live.rows, since: (list.active_since ?? live.created_at).toISOString() }
      : null,
    last_task: task ? lastTaskView(task) : null,
    next_run_at: next === Infinity ? null : new Date(next).toISOString(),
  }
}

function lastTaskView(task: ImportTaskRecord): PriceListRow['last_task'] {
  const { id, status, completed_at, superseded, error_code = null } = task
  return { id, status, completed_at: completed_at?.toISOString() ?? null, superseded, error_code }
}
