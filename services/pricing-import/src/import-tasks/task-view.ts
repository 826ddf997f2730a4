import type { AdminImportTask, ImportTask } from '@partsbus/contracts/pricing-import/import-task'
import type { CallSettings } from '@partsbus/contracts/administration/settings'
import { warn } from '../texts/import-warnings.js'
import type { Locale } from '../texts/skip-texts.js'
import { translate } from '../texts/translate.js'
import type { ImportTaskRecord, TaskStatus } from './import-task-record.js'

/** Texts of `status_label` (rules.md#status-label). */
const labels: Record<CallSettings['admin_locale'], Record<TaskStatus, string>> = {
  en: { pending: 'Queued', processing: 'Processing', completed: 'Completed', failed: 'Failed' },
  ru: { pending: 'В очереди', processing: 'Обрабатывается', completed: 'Завершён', failed: 'Ошибка' },
}

/** The task as partners see it (partners.md#import-task). */
export function taskView(task: ImportTaskRecord, locale: CallSettings['admin_locale']): ImportTask {
  return {
    id: task.id,
    price_list_id: task.price_list_id,
    status: task.status,
    status_label: labels[locale][task.status],
    source_type: task.source_type,
    total_rows: task.total_rows,
    processed_rows: task.processed_rows,
    imported_rows: task.imported_rows,
    skipped_rows: task.skipped_rows,
    error_message: task.error_message,
    started_at: task.started_at?.toISOString() ?? null,
    completed_at: task.completed_at?.toISOString() ?? null,
  }
}

/** Facts about a task that other tasks and the list decide. */
export interface TaskSituation {
  queue_position: number | null
  is_live: boolean
  live_rows: number
  merged_into: number | null
}

/** Fields that only administrators see (admin.md#import-tasks). */
export function adminTaskView(
  task: ImportTaskRecord,
  situation: TaskSituation,
  locale: CallSettings['admin_locale'],
): AdminImportTask {
  return {
    ...taskView(task, locale),
    file_name: task.file_name,
    file_size: task.file_size,
    rows_per_second: rowsPerSecond(task),
    superseded: task.superseded,
    created_at: task.created_at.toISOString(),
    created_by: task.created_by ?? null,
    skipped_by_code: { ...task.skipped_by_code },
    error_code: task.error_code ?? null,
    retry_of: task.retry_of ?? null,
    error_message: task.error_message && translate(task.error_message, locale),
    warnings: listWarnings(task, locale),
    ...situation,
  }
}

function listWarnings(
  { unnamed_rows = 0, unpriced_rows = 0 }: ImportTaskRecord,
  locale: Locale,
): AdminImportTask['warnings'] {
  return [
    ...(unpriced_rows > 0 ? [warn('NO_PRICE', locale, unpriced_rows)] : []),
    ...(unnamed_rows > 0 ? [warn('NO_NAME', locale, unnamed_rows)] : []),
  ]
}

function rowsPerSecond({ started_at, completed_at, processed_rows }: ImportTaskRecord): number | null {
  if (!started_at || processed_rows === 0) return null
  const seconds = ((completed_at ?? new Date()).getTime() - started_at.getTime()) / 1_000
  return seconds > 0 ? Math.round(processed_rows / seconds) : null
}
