import { Injectable } from '@nestjs/common'
import { traceStep } from '@partsbus/platform/process/spans'
import type { LocalFile } from '../files/local-file.js'
import { ReadKnownBrands } from '../brands/read-known-brands.js'
import { keptCells } from '../import-tasks/skipped-row.js'
import { TaskStore } from '../import-tasks/task-store.js'
import type { PriceListReader } from '../reading/price-list-reader.js'
import { VersionCleanup } from '../versions/version-cleanup.js'
import { ImportFailure } from './import-errors.js'
import type { ImportLease } from './import-lease.js'
import { PublishVersion } from './publish-version.js'
import { WriteRows } from './write-rows.js'

@Injectable()
export class ImportPriceList {
  constructor(
    private readonly tasks: TaskStore,
    private readonly known: ReadKnownBrands,
    private readonly rows: WriteRows,
    private readonly publication: PublishVersion,
    private readonly versions: VersionCleanup,
  ) {}

  /** Ends a task whose version an earlier attempt has made live. @returns false when there is none */
  async completePublished(lease: ImportLease): Promise<boolean> {
    if (!(await this.publication.wasPublished(lease))) return false
    await lease.fencedWrite(() => this.tasks.end(lease.task, { status: 'completed' }))
    return true
  }

  /**
   * Imports the file of a claimed task: counts its rows, writes them beside the live ones, publishes them
   * (architecture.md#imports). It may be interrupted anywhere and repeated by another worker, with the same outcome.
   * @throws ImportFailure, PriceFileError, ColumnsNotFound: the task has failed; LostImport, StoppedImport: it belongs
   * to others
   */
  async importPriceList(lease: ImportLease, file: LocalFile, reader: PriceListReader): Promise<void> {
    const { task } = lease
    const rules = await lease.orLost(this.known.withKnownBrands(task.rules))
    // stored before they are used, so that a later attempt knows the same brands
    if (rules !== task.rules) await lease.fencedWrite(() => this.tasks.save(task, { rules }))
    const count = await lease.orLost(reader.count(file, rules, task.mode === 'merge'))
    const header = count.header && { row: count.header.row, cells: keptCells(count.header.cells) }
    const sheets = count.sheets.map(({ name, offset }) => ({ name, offset }))
    await lease.fencedWrite(() =>
      this.tasks.save(task, { total_rows: count.total, header, ...(sheets.length > 0 && { sheets }) }),
    )
    const { imported_rows } = await traceStep('price-list.write', () => this.rows.writeRows(lease, reader))
    if (imported_rows === 0) throw noRows(count.total)
    const outcome = await traceStep('price-list.switch', () =>
      this.publication.publishVersion(lease, reader, imported_rows),
    )
    const superseded = outcome === 'superseded'
    await lease.fencedWrite(() => this.tasks.end(task, { status: 'completed', superseded }))
    if (superseded) await this.versions.discard(task)
  }
}

function noRows(total: number): ImportFailure {
  return total === 0
    ? new ImportFailure('NO_ROWS', 'The file contains no rows.')
    : new ImportFailure(
        'NO_IMPORTABLE_ROWS',
        `None of the ${total} rows could be imported. Each row needs an article, a brand and a quantity.`,
      )
}
