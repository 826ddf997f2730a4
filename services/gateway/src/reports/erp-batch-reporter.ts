import { randomUUID } from 'node:crypto'
import { addErpBatches } from '@partsbus/contracts/administration/commands'
import type { ErpBatch } from '@partsbus/contracts/gateway/erp-batch'
import type { BusClient } from '@partsbus/platform/bus/client'
import type { Log } from '@partsbus/platform/process/log'
import { REPORT_TIMEOUT_MS, Reporter } from './reporter.js'

/** Batches that are kept until they are sent; the list shows no more. */
const MAX_BATCHES = 1_000
const SEND_EVERY_MS = 1_000

/** The batches of the ERP that this gateway answered (erp.md#batch-list-2). */
export class ErpBatchReporter extends Reporter {
  private pending: Array<ErpBatch & { id: string }> = []

  constructor(
    private readonly calls: Pick<BusClient, 'request'>,
    log: Log,
  ) {
    super(SEND_EVERY_MS, 'batch list', log)
  }

  add(batch: Omit<ErpBatch, 'at'>): void {
    this.pending.push({ id: randomUUID(), at: new Date().toISOString(), ...batch })
    // while nobody stores them
    if (this.pending.length > MAX_BATCHES) this.pending.shift()
  }

  protected async send(): Promise<void> {
    if (this.pending.length === 0) return
    const batches = this.pending
    this.pending = []
    try {
      await this.calls.request(addErpBatches, { batches }, { timeoutMs: REPORT_TIMEOUT_MS })
    } catch (error) {
      this.pending = [...batches, ...this.pending].slice(-MAX_BATCHES)
      throw error
    }
  }
}
