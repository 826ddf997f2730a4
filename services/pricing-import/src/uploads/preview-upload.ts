import { stat } from 'node:fs/promises'
import { Controller } from '@nestjs/common'
import { AppError, texts } from '@partsbus/contracts/app-error'
import type { CallSettings } from '@partsbus/contracts/administration/settings'
import type { Preview, PreviewDraft } from '@partsbus/contracts/pricing-import/preview'
import * as contract from '@partsbus/contracts/pricing-import/commands'
import { FileNotFound } from '@partsbus/file-store/file-driver'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import type { LocalFile } from '../files/local-file.js'
import { ReadKnownBrands } from '../brands/read-known-brands.js'
import { ShownBrands } from '../brands/shown-brands.js'
import { CompareWithLive } from '../offers/compare-with-live.js'
import type { PriceListRecord } from '../price-lists/price-list-record.js'
import { PriceListStore } from '../price-lists/price-list-store.js'
import type { FilePreview } from '../reading/file-preview.js'
import { OutOfProcessReader, type PriceListReaders } from '../reading/out-of-process-reader.js'
import type { PriceListReader } from '../reading/price-list-reader.js'
import { Readers } from '../reading/readers.js'
import type { ReadingRules } from '../rows/row-reader.js'
import { liveRows } from '../versions/enough-rows.js'
import { inLocale, invalidFile, noLongerKept, toCheckError } from './check-file.js'
import { CheckedUploads } from './checked-uploads.js'
import { describePreview, previewFacts, storedAs } from './describe-preview.js'
import { PreviewedFiles } from './previewed-files.js'

/** Left for the answer when live offers are compared, ms. */
const ANSWER_MS = 3_000

/** The call that a preview answers. */
interface PreviewCall {
  settings: CallSettings
  timeLeft(): number
}

/** Reads files with the code of an import, and imports nothing (admin.md#preview). */
@Controller()
export class PreviewUpload {
  constructor(
    private readonly lists: PriceListStore,
    private readonly uploads: CheckedUploads,
    private readonly previewed: PreviewedFiles,
    private readonly live: CompareWithLive,
    private readonly brands: ShownBrands,
    private readonly known: ReadKnownBrands,
    private readonly readers: Readers,
  ) {}

  /**
   * Previews an uploaded file and keeps it for an hour.
   * @throws AppError NOT_FOUND, INVALID_FILE with `details.reason` and what was read, STORE_FAILED
   */
  @Handles(contract.previewUpload)
  async previewUpload(call: CallOf<typeof contract.previewUpload>): Promise<Preview> {
    const { price_list_id, draft, kept_for, ...upload } = call.body
    const list = await this.findList(price_list_id)
    const maxFileSize = call.settings['price-lists.import.max_file_size']
    try {
      return await this.uploads.withUpload(upload, maxFileSize, call.timeLeft(), async (file) => {
        const read = await this.read(file, list, draft, call)
        return { ...read, ...storedAs(await this.previewed.keep(file, kept_for)) }
      })
    } catch (error) {
      throw inLocale(error, call.settings.admin_locale)
    }
  }

  /**
   * Previews a stored file (admin.md#preview-stored): one that was previewed, which is kept for another hour, or that
   * of an import.
   * @throws AppError as {@link previewUpload}; CONTRACT_VIOLATION for an unknown task, CONFLICT when its file, or the
   * previewed one, is no longer kept
   */
  @Handles(contract.previewStored)
  async previewStored(call: CallOf<typeof contract.previewStored>): Promise<Preview> {
    const { price_list_id, file: name, draft } = call.body
    const list = await this.findList(price_list_id)
    const stored = await this.previewed.find(name)
    const maxFileSize = call.settings['price-lists.import.max_file_size']
    try {
      return await this.uploads.withStoredFile(stored, maxFileSize, call.timeLeft(), async (file) => ({
        ...(await this.read(file, list, draft, call)),
        ...storedAs(stored),
      }))
    } catch (error) {
      throw error instanceof FileNotFound ? noLongerKept() : inLocale(error, call.settings.admin_locale)
    }
  }

  private async findList(id: number): Promise<PriceListRecord> {
    const list = await this.lists.find(id)
    if (!list) throw new AppError('NOT_FOUND', texts.notFound)
    return list
  }

  /** With a draft, a format that does not fit is a result, not an error (admin.md#preview-draft). */
  private async read(
    file: LocalFile,
    list: PriceListRecord,
    draft: PreviewDraft | undefined,
    call: PreviewCall,
  ): Promise<Omit<Preview, 'preview_id' | 'file'>> {
    const { format, markup_percent, delivery_days } = list
    const rules = await this.known.withKnownBrands(
      { format, markup_percent, delivery_days, ...withoutAbsent(draft ?? {}), is_draft: draft !== undefined },
      call.timeLeft(),
    )
    const locale = call.settings.admin_locale
    return previewFile(file, rules, this.readers.pool, async (read, reader) => {
      if (read.problem && (!draft || read.isUnreadable))
        throw invalidFile(read.problem.message, previewFacts(read, locale))
      const changes = await this.compare(list, read, reader, () => call.timeLeft() < ANSWER_MS)
      const shownBrands = await this.brands.show(read.rows, call.timeLeft())
      return describePreview(read, { list, locale, changes, shownBrands })
    }).catch((error: unknown) => {
      throw toCheckError(error)
    })
  }

  private async compare(
    list: PriceListRecord,
    { problem, totals }: FilePreview,
    reader: PriceListReader,
    isLate: () => boolean,
  ): Promise<Preview['changes']> {
    if (problem || totals.importable === 0) return null
    const live = { version: list.active_version, rows: liveRows(list) }
    return this.live.compareWithLive(live, totals.importable, reader, isLate)
  }
}

function withoutAbsent({ format, markup_percent, delivery_days }: PreviewDraft): Partial<ReadingRules> {
  return {
    ...(format !== undefined && { format }),
    ...(markup_percent !== undefined && { markup_percent }),
    ...(delivery_days !== undefined && { delivery_days }),
  }
}

/** @param work receives the preview while its reader is open */
export async function previewFile<T>(
  file: LocalFile,
  rules: ReadingRules,
  readers: PriceListReaders,
  work: (preview: FilePreview, reader: PriceListReader) => Promise<T>,
): Promise<T> {
  const { size } = await stat(file.path)
  const reader = await OutOfProcessReader.open(readers, file.name, size)
  try {
    return await work(await reader.preview(file, rules), reader)
  } finally {
    await reader.close()
  }
}
