import { randomUUID } from 'node:crypto'
import { addErpBatches } from '@partsbus/contracts/administration/commands'
import type { ErpBatch } from '@partsbus/contracts/administration/erp-batch'
import type { BusClient } from '@partsbus/platform/bus/client'
import type { Log } from '@partsbus/platform/process/log'
import { REPORT_TIMEOUT_MS, Reporter } from './reporter.js'

/** Batches that are kept until they are sent; the list shows no more. */
const MAX_BATCHES = 1_000
const SEND_EVERY_MS = 1_000

/** The batches of the ERP that this gateway answered (erp.md#batch-list-2). */
export class ErpBatchReporter extends Reporter<Array<ErpBatch & { id: string }>> {
  constructor(calls: Pick<BusClient, 'request'>, log: Log) {
    super('batch list', log, {
      everyMs: SEND_EVERY_MS,
      merge: (older, newer) => {
        older.push(...newer)
        // while nobody stores them
        return older.length > MAX_BATCHES ? older.slice(-MAX_BATCHES) : older
      },
      write: async (batches) => {
        await calls.request(addErpBatches, { batches }, { timeoutMs: REPORT_TIMEOUT_MS })
      },
    })
  }

  add(batch: Omit<ErpBatch, 'at'>): void {
    this.collect([{ id: randomUUID(), at: new Date().toISOString(), ...batch }])
  }
}
