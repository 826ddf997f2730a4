import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Controller, Inject, type OnModuleDestroy } from '@nestjs/common'
import { AppError, texts } from '@partsbus/contracts/app-error'
import type { ReplyOf } from '@partsbus/contracts/message'
import { testSource as contract } from '@partsbus/contracts/pricing-import/commands'
import type { PriceListSource } from '@partsbus/contracts/pricing-import/price-list-source'
import { HIDDEN } from '@partsbus/contracts/stock/storage'
import { ViolationList } from '@partsbus/contracts/violation'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { isDatabaseDown } from '@partsbus/platform/mongo/to-app-error'
import { CONFIG } from '@partsbus/platform/process/injection-tokens'
import type { PricingImportConfig } from '../config.js'
import { makeFolder, requireDiskSpace } from '../files/work-folder.js'
import { ImportQueue } from '../import-tasks/import-queue.js'
import type { StoredSource } from '../price-lists/price-list-record.js'
import { PriceListStore } from '../price-lists/price-list-store.js'
import { checkSource } from '../price-lists/seal-sources.js'
import { Readers } from '../reading/readers.js'
import { translate } from '../texts/translate.js'
import { checkFile, checkSize, UNPACKED_RATIO } from '../uploads/check-file.js'
import { describeFailure } from './describe-failure.js'
import { fetchSource } from './fetch-source.js'
import { SourceFailure } from './source-failure.js'
import { SourcePasswords } from './source-passwords.js'
import { SourceSlots } from './source-slots.js'

type Outcome = Omit<ReplyOf<typeof contract>, 'ms'>

/** Time to check and store a fetched file, in ms. */
const STORE_MS = 5_000

/** Fetches the file of a source, and imports nothing. */
@Controller()
export class TestSource implements OnModuleDestroy {
  private readonly stopping = new AbortController()

  constructor(
    private readonly lists: PriceListStore,
    private readonly queue: ImportQueue,
    private readonly passwords: SourcePasswords,
    private readonly readers: Readers,
    private readonly slots: SourceSlots,
    @Inject(CONFIG) private readonly config: PricingImportConfig,
  ) {}

  onModuleDestroy(): void {
    this.stopping.abort()
  }

  /**
   * Every failure of the fetch is a reply (admin.md#source-test). The fetched file is kept for an hour, like a preview.
   * @throws AppError NOT_FOUND, OVERLOADED while many fetches wait, or CONTRACT_VIOLATION as when the source is saved
   */
  @Handles(contract)
  async testSource(call: CallOf<typeof contract>): Promise<ReplyOf<typeof contract>> {
    const { id, source, kept_for } = call.body
    const list = await this.lists.find(id)
    if (!list) throw new AppError('NOT_FOUND', texts.notFound)
    const before = list.sources.find((stored) => stored.id === source.id)
    const violations = new ViolationList()
    checkSource(violations, source, before, source.id !== undefined && !before)
    violations.assertNone()
    const began = performance.now()
    const deadline = AbortSignal.timeout(Math.max(0, Math.floor(call.timeLeft() - STORE_MS)))
    const maxBytes = call.settings['price-lists.import.max_file_size']
    const signal = AbortSignal.any([deadline, this.stopping.signal])
    const outcome = await this.slots
      .runRequested(deadline, () => this.fetchAndKeep(source, id, before, { maxBytes, kept_for, signal }))
      .catch((error: unknown): Outcome => {
        if (isDatabaseDown(error) || (error instanceof AppError && error.code === 'OVERLOADED')) throw error
        return { ok: false, ...describeFailure(deadline.aborted ? tooLate() : error), file: null, preview_id: null }
      })
    const message = translate(outcome.message, call.settings.admin_locale)
    return { ...outcome, message, ms: Math.round(performance.now() - began) }
  }

  private async fetchAndKeep(
    source: PriceListSource,
    listId: number,
    before: StoredSource | undefined,
    { maxBytes, kept_for, signal }: { maxBytes: number; kept_for: number | undefined; signal: AbortSignal },
  ): Promise<Outcome> {
    const folder = await makeFolder()
    try {
      await requireDiskSpace(folder, maxBytes)
      const path = join(folder, 'file')
      const { SOURCE_ALLOWED_HOSTS: allowedHosts, SOURCE_CERTIFICATES: certificates } = this.config
      const { password = '', last_run: _lastRun, ...rest } = source
      const stored = password === HIDDEN && before ? this.passwords.open(listId, before) : password || undefined
      const state = { last_run: null }
      const fetched = await fetchSource(
        {
          source: { ...rest, id: 0, is_active: true, every_minutes: 1, sealed_password: null, state },
          password: stored,
          state,
          plan: { path, maxBytes, allowedHosts, certificates },
        },
        signal,
      )
      if (fetched.outcome === 'unchanged')
        throw new SourceFailure('No message has a matching attachment of a listed type.', 'NO_FILE')
      const { file_name: name, modified_at } = fetched
      const { size } = await stat(path)
      checkSize(size, maxBytes)
      const file = { path, name, maxUnpacked: maxBytes * UNPACKED_RATIO }
      await this.readers.checks.run({ signal }, () => checkFile(file, this.readers.pool))
      const { key } = await this.queue.storeFile(file, kept_for)
      return {
        ok: true,
        code: null,
        message: `The file ${name} was fetched.`,
        file: { name, size, modified_at },
        preview_id: key,
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

function tooLate(): SourceFailure {
  return new SourceFailure('The file did not arrive in time.', 'TIMEOUT')
}
