import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Inject, Injectable } from '@nestjs/common'
import { AppError } from '@partsbus/contracts/app-error'
import { isDatabaseDown } from '@partsbus/platform/mongo/to-app-error'
import { CONFIG, LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import type { PricingImportConfig } from '../config.js'
import { makeFolder, requireDiskSpace } from '../files/work-folder.js'
import { ImportQueue } from '../import-tasks/import-queue.js'
import { TaskStore } from '../import-tasks/task-store.js'
import type { PriceListRecord, SourceState, StoredSource } from '../price-lists/price-list-record.js'
import { Readers } from '../reading/readers.js'
import { checkFile, checkSize, UNPACKED_RATIO } from '../uploads/check-file.js'
import { fetchSource } from './fetch-source.js'
import { describeFailure } from './describe-failure.js'
import { SourceFailure } from './source-failure.js'
import { SourcePasswords } from './source-passwords.js'
import type { RunResult, SourceRun } from './source-run.js'

/** Longest time of one fetch. */
const FETCH_MS = 10 * 60_000

const unchanged: RunResult = {
  outcome: 'unchanged',
  message: 'The file has not changed since it was imported.',
  task_id: null,
}

/** Fetches the file of a source, and creates an import task when the file changed. */
@Injectable()
export class FetchAndImport {
  constructor(
    private readonly tasks: TaskStore,
    private readonly queue: ImportQueue,
    private readonly passwords: SourcePasswords,
    private readonly readers: Readers,
    @Inject(CONFIG) private readonly config: PricingImportConfig,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Every failure of the fetch is a result. @throws when the database is down */
  async fetchAndImport(
    list: PriceListRecord,
    source: StoredSource,
    { settings, stop }: SourceRun,
  ): Promise<{ result: RunResult; state: Partial<SourceState> }> {
    const folder = await makeFolder()
    const deadline = AbortSignal.timeout(FETCH_MS)
    try {
      if (!list.is_active) throw new SourceFailure('The price list is not active.')
      await this.queue.assertHasRoom(list.id)
      const path = join(folder, 'file')
      const maxBytes = settings['price-lists.import.max_file_size']
      await requireDiskSpace(folder, maxBytes)
      const rules_digest = rulesDigest(list)
      const known = (await this.isImported(source.state, rules_digest)) ? source.state : withoutFileState(source.state)
      const fetched = await fetchSource(
        {
          source,
          password: this.passwords.open(list.id, source),
          state: known,
          plan: {
            path,
            maxBytes,
            allowedHosts: this.config.SOURCE_ALLOWED_HOSTS,
            certificates: this.config.SOURCE_CERTIFICATES,
          },
        },
        AbortSignal.any([deadline, stop]),
      )
      if (fetched.outcome === 'unchanged') return { result: unchanged, state: fetched.marks ?? {} }
      const { file_name: name, marks } = fetched
      const sha256 = await sha256Of(path)
      if (sha256 === known.sha256) return { result: unchanged, state: marks }
      const file = { path, name, maxUnpacked: maxBytes * UNPACKED_RATIO }
      checkSize((await stat(path)).size, maxBytes)
      await this.readers.checks.run({ signal: stop }, () => checkFile(file, this.readers.pool))
      const task_id = await this.queue.createTask(list, await this.queue.storeFile(file), {
        source_type: source.kind,
        created_by: source.id,
        max_unpacked: file.maxUnpacked,
      })
      return {
        result: { outcome: 'imported', message: `The file ${name} is being imported.`, task_id },
        state: { ...marks, sha256, task_id, rules_digest },
      }
    } catch (error) {
      if (isDatabaseDown(error)) throw error
      if (!(error instanceof SourceFailure || error instanceof AppError))
        this.log.error({ err: error, list: list.id, source: source.id }, 'fetched file not stored')
      return { result: { outcome: 'failed', message: describeFailure(error).message, task_id: null }, state: {} }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  /** A file counts as imported while its import runs, and after an import with the current rules of the list. */
  private async isImported(state: SourceState, rulesDigestNow: string): Promise<boolean> {
    if (state.task_id === undefined || state.task_id === null) return true
    if (state.rules_digest !== rulesDigestNow) return false
    const task = await this.tasks.find(state.task_id)
    return task?.status !== 'failed'
  }
}

function withoutFileState(state: SourceState): SourceState {
  return { ...state, sha256: null, etag: null, last_modified: null }
}

/** A digest of the settings that change the offers imported from the same file. */
function rulesDigest({ format, markup_percent, delivery_days }: PriceListRecord): string {
  return createHash('sha256')
    .update(JSON.stringify([format, markup_percent, delivery_days]))
    .digest('hex')
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk)
  return hash.digest('hex')
}
