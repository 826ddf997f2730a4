import { Controller } from '@nestjs/common'
import { AppError, texts } from '@partsbus/contracts/app-error'
import type { ReplyOf } from '@partsbus/contracts/message'
import { exportSkipped as contract } from '@partsbus/contracts/pricing-import/commands'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import type { ImportTaskRecord } from '../import-tasks/import-task-record.js'
import { type LeftOutRow, showSkipped } from '../import-tasks/skipped-row.js'
import { SkippedRowStore } from '../import-tasks/skipped-row-store.js'
import { TaskStore } from '../import-tasks/task-store.js'
import { exportWords } from './export-words.js'
import { OpenExports } from './open-exports.js'
import { type ReadSkipped, skippedRows } from './skipped-rows.js'

/** Characters of the cells of a page of rows, of which one has at most 32,768. */
const MAX_PAGE_CHARACTERS = 1024 * 1024

@Controller()
export class ExportSkipped {
  constructor(
    private readonly tasks: TaskStore,
    private readonly skippedRows: SkippedRowStore,
    private readonly exports: OpenExports,
  ) {}

  /**
   * All skipped rows of an import (admin.md#skipped-files). The CSV has the delimiter of the list, or else `;`.
   * @throws AppError NOT_FOUND, OVERLOADED
   */
  @Handles(contract)
  exportSkipped(call: CallOf<typeof contract>): Promise<ReplyOf<typeof contract>> {
    const { id, format, language, ...filter } = call.body
    const words = exportWords(language)
    const read: ReadSkipped = async (after_row, per_page) => {
      // an import that was deleted has no rows either, and its file would seem to be whole
      const { sheets } = await this.get(id)
      const { data } = await this.skippedRows.list(id, { page: 1, per_page, after_row, ...filter })
      return fitPage(data).map((row) => showSkipped(row, call.settings.admin_locale, sheets))
    }
    return this.exports.start(format, call, async () => {
      const { header = null, rules } = await this.get(id)
      const { delimiter } = rules.format
      return {
        fileName: words.skippedFile(id),
        rows: skippedRows(read, header, words.reasonColumns),
        style: { delimiter: delimiter === 'auto' ? undefined : delimiter, decimalMark: words.decimalMark },
        sheet: words.skippedSheet,
        hasHeading: header?.row === 1,
      }
    })
  }

  private async get(id: number): Promise<ImportTaskRecord> {
    const task = await this.tasks.find(id)
    if (!task) throw new AppError('NOT_FOUND', texts.notFound)
    return task
  }
}

/** The first rows, whose cells do not take too much memory. */
function fitPage(rows: LeftOutRow[]): LeftOutRow[] {
  let characters = 0
  const end = rows.findIndex(({ cells }) => {
    characters += cells.reduce((sum, cell) => sum + cell.length, 0)
    return characters > MAX_PAGE_CHARACTERS
  })
  return end === -1 ? rows : rows.slice(0, end)
}
