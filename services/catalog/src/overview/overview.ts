import { Controller } from '@nestjs/common'
import type { ReplyOf } from '@partsbus/contracts/message'
import { getCatalogOverview as contract } from '@partsbus/contracts/catalog/overview'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { CatalogCounts } from './catalog-counts.js'
import { LatestBatchStore } from './latest-batch-store.js'

/** admin.md#overview */
@Controller()
export class Overview {
  constructor(
    private readonly counts: CatalogCounts,
    private readonly latestBatch: LatestBatchStore,
  ) {}

  @Handles(contract)
  async getCatalogOverview(): Promise<ReplyOf<typeof contract>> {
    const [counts, latest] = await Promise.all([this.counts.read(), this.latestBatch.read()])
    return { ...counts, last_batch_at: latest?.toISOString() ?? null }
  }
}
