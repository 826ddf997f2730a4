import { Controller } from '@nestjs/common'
import { addErpBatches, listErpBatches } from '@partsbus/contracts/administration/commands'
import type { ErpBatch } from '@partsbus/contracts/administration/erp-batch'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { ErpBatchStore } from './erp-batch-store.js'

/** erp.md#batch-list */
@Controller()
export class ErpBatches {
  constructor(private readonly store: ErpBatchStore) {}

  @Handles(addErpBatches)
  async addErpBatches({ body }: CallOf<typeof addErpBatches>) {
    await this.store.add(body.batches as Array<ErpBatch & { id: string }>)
    return {}
  }

  @Handles(listErpBatches)
  async listErpBatches() {
    return { batches: await this.store.list() }
  }
}
