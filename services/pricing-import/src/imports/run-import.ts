import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Inject, Injectable } from '@nestjs/common'
import { AppError, httpStatus } from '@partsbus/contracts/app-error'
import { FileStorageUnavailable } from '@partsbus/file-store/file-driver'
import { isDatabaseDown } from '@partsbus/platform/mongo/to-app-error'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { failSpan, traceStep } from '@partsbus/platform/process/spans'
import { PriceFileError, ReaderUnavailable } from '@partsbus/price-file/price-file-error'
import { FileStore } from '../files/file-store.js'
import { makeFolder } from '../files/work-folder.js'
import type { ImportTaskRecord } from '../import-tasks/import-task-record.js'
import { TaskStore } from '../import-tasks/task-store.js'
import { OutOfProcessReader } from '../reading/out-of-process-reader.js'
import type { PriceListReader } from '../reading/price-list-reader.js'
import { Readers } from '../reading/readers.js'
import { ColumnsNotFound } from '../rows/layout.js'
import { VersionCleanup } from '../versions/version-cleanup.js'
import { ImportFailure, LostImport, StoppedImport } from './import-errors.js'
import type { ImportLease } from './import-lease.js'
import { ImportPriceList } from './import-price-list.js'

/** Attempts that write no row before a task fails; with one that made progress that is five. */
const MAX_TRIES = 4
const AWAY_MS = 5_000
const BACK_OFF_MS = [1_000, 2_000, 10_000, 30_000]

/** Errors of the file system and of process limits that pass by. */
const SYSTEM_ERRORS = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EROFS', 'EACCES', 'EIO'])

type FinalError = PriceFileError | ImportFailure | ColumnsNotFound

@Injectable()
export class RunImport {
  constructor(
    private readonly tasks: TaskStore,
    private readonly files: FileStore,
    private readonly imports: ImportPriceList,
    private readonly versions: VersionCleanup,
    private readonly readers: Readers,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Runs a claimed import to its end, whatever the outcome, and releases the lease. */
  async runImport(lease: ImportLease): Promise<void> {
    const { id, price_list_id, attempt, tries, file_size } = lease.task
    try {
      // an attempt that died after the switch has left nothing but the end to do
      if (await this.imports.completePublished(lease)) return
      if (tries > MAX_TRIES)
        throw new ImportFailure('NO_PROGRESS', `Import failed: ${MAX_TRIES} consecutive attempts made no progress.`)
      this.log.info({ task: id, list: price_list_id, attempt, file_size }, 'import started')
      await this.importFile(lease)
      this.log.info({ task: id, list: price_list_id }, 'import completed')
    } catch (error) {
      failSpan(error)
      await this.saveFailure(lease, error)
    } finally {
      await lease.release()
    }
  }

  private async importFile(lease: ImportLease): Promise<void> {
    const { file_id, file_name, file_size, max_unpacked } = lease.task
    const folder = await makeFolder()
    let reader: PriceListReader | undefined
    try {
      // a new process starts while the file is fetched
      reader = await OutOfProcessReader.open(this.readers.pool, file_name, file_size)
      const path = join(folder, 'file')
      await traceStep('price-list.fetch', () => lease.retryWhileDbDown(() => this.files.copyTo(file_id, path)))
      await this.imports.importPriceList(lease, { path, name: file_name, maxUnpacked: max_unpacked }, reader)
    } finally {
      await reader?.close()
      await rm(folder, { recursive: true, force: true })
    }
  }

  private async saveFailure(lease: ImportLease, error: unknown): Promise<void> {
    const { task } = lease
    if (error instanceof LostImport) return
    try {
      if (error instanceof StoppedImport) return await this.tasks.giveBack(task, 0, false)
      if (isFinal(error, task)) return await this.fail(lease, error)
      this.log.error({ err: error, task: task.id, attempt: task.attempt }, 'import attempt failed')
      // an outage says nothing about the file
      if (isOutage(error)) return await this.tasks.giveBack(task, AWAY_MS, false)
      await this.tasks.giveBack(task, BACK_OFF_MS[task.tries - 1] ?? 30_000, true)
    } catch (failure) {
      // the lease expires, and another attempt is made
      if (!(failure instanceof LostImport)) this.log.warn({ err: failure, task: task.id }, 'import outcome not saved')
    }
  }

  private async fail(lease: ImportLease, error: FinalError): Promise<void> {
    const { message } = error
    const { id, price_list_id } = lease.task
    this.log.info({ task: id, list: price_list_id, reason: message }, 'import failed')
    await lease.fencedWrite(() =>
      this.tasks.end(lease.task, { status: 'failed', failure: { code: codeOf(error), message } }),
    )
    await this.versions.discard(lease.task)
  }
}

function codeOf(error: FinalError): string {
  if (error instanceof PriceFileError) return error.problem
  return error instanceof ColumnsNotFound ? error.columns.code : error.code
}

/** Whether something other than the file is to blame, like a disk that is full. */
function isOutage(error: unknown): boolean {
  // the kernel may kill a reader because of the memory that the file needs
  if (error instanceof ReaderUnavailable) return !error.wasReading
  if (error instanceof FileStorageUnavailable || isDatabaseDown(error)) return true
  if (error instanceof AppError) return httpStatus[error.code] >= 503
  return error instanceof Error && 'code' in error && SYSTEM_ERRORS.has(String(error.code))
}

/** A reader that was killed may have met a shortage of memory that others caused: it gets a second attempt. */
function isFinal(error: unknown, task: ImportTaskRecord): error is FinalError {
  if (error instanceof PriceFileError) return error.problem !== 'READER_KILLED' || task.tries > 1
  return error instanceof ImportFailure || error instanceof ColumnsNotFound
}
