import { Injectable } from '@nestjs/common'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { getCatalogOverview as contract } from '@partsbus/contracts/catalog/overview'
import { CatalogCounts } from './catalog-counts.js'
import { LatestBatchStore } from './latest-batch-store.js'

/** admin.md#overview */
@Injectable()
export class Overview {
  constructor(
    private readonly counts: CatalogCounts,
    private readonly latestBatch: LatestBatchStore,
  ) {}

  async getCatalogOverview(): Promise<ReplyOf<typeof contract>> {
    const [counts, latest] = await Promise.all([this.counts.read(), this.latestBatch.read()])
    return { ...counts, last_batch_at: latest?.toISOString() ?? null }
  }
}
