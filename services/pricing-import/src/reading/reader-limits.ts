import { getHeapStatistics } from 'node:v8'
import { Inject, Injectable } from '@nestjs/common'
import { Semaphore } from '@partsbus/platform/async/semaphore'
import { CONFIG } from '@partsbus/platform/process/injection-tokens'
import { readerMemoryMb } from '@partsbus/price-file/reader-process/reader-memory'
import type { PricingImportConfig } from '../config.js'

const MAX_CHECKS = 4

/** Limits of reader processes, which together must fit into the memory of the service. */
@Injectable()
export class ReaderLimits {
  /** limits the uploads and previews that are on this disk and in readers at a time */
  readonly checks = new Semaphore(MAX_CHECKS)
  /** memory limit of each reader process, in MB */
  readonly memoryMb: number

  constructor(@Inject(CONFIG) { IMPORT_PARALLEL }: PricingImportConfig) {
    this.memoryMb = readerMemoryMb({
      limit: process.constrainedMemory(),
      heap: getHeapStatistics().heap_size_limit,
      readers: MAX_CHECKS + IMPORT_PARALLEL,
    })
  }
}
