import { getHeapStatistics } from 'node:v8'
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common'
import { Semaphore } from '@partsbus/platform/async/semaphore'
import { CONFIG } from '@partsbus/platform/process/injection-tokens'
import { readerMemoryMb } from '@partsbus/price-file/reader-process/reader-memory'
import { DIFF_MB, KEPT_MB } from '../changes/comparisons.js'
import type { PricingImportConfig } from '../config.js'
import { WORKBOOKS_AT_ONCE } from '../exports/open-exports.js'
import { WORKBOOK_MB } from '../exports/workbook.js'
import { FETCH_MB } from '../sources/fetch-source.js'
import { SOURCES_AT_ONCE } from '../sources/source-slots.js'
import { createReaderPool, type PriceListReaders } from './out-of-process-reader.js'

const MAX_CHECKS = 4

/** The reader processes of the service, which together must fit into its memory. */
@Injectable()
export class Readers implements OnApplicationShutdown {
  /** limits the uploads and previews that are on this disk and in readers at a time */
  readonly checks = new Semaphore(MAX_CHECKS)
  /** for checks, previews and imports */
  readonly pool: PriceListReaders

  constructor(@Inject(CONFIG) { IMPORT_PARALLEL }: PricingImportConfig) {
    const maxReaders = MAX_CHECKS + IMPORT_PARALLEL
    const memoryMb = readerMemoryMb({
      limit: process.constrainedMemory(),
      heap: getHeapStatistics().heap_size_limit,
      othersMb: SOURCES_AT_ONCE * FETCH_MB + WORKBOOKS_AT_ONCE * WORKBOOK_MB + DIFF_MB + KEPT_MB,
      readers: maxReaders,
    })
    this.pool = createReaderPool({ maxReaders, memoryMb })
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close()
  }
}
