import { Inject, Injectable } from '@nestjs/common'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { getCatalogOverview } from '@partsbus/contracts/catalog/overview'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { CategoryStore } from '../categories/category-store.js'
import { MediaJobStore } from '../media/media-job-store.js'
import { ProductStore } from '../products/product-store.js'

type Counts = Omit<ReplyOf<typeof getCatalogOverview>, 'last_batch_at'>

/** Counting a large catalog takes seconds, and many pages ask for it. */
const FRESH_MS = 30_000

/**
 * The counts of the overview: counted on the first request, then answered from memory and counted again in the
 * background when they are older than 30 s.
 */
@Injectable()
export class CatalogCounts {
  private latest: Counts | undefined
  private countedAt = -Infinity
  private counting: Promise<Counts> | undefined

  constructor(
    private readonly products: ProductStore,
    private readonly categories: CategoryStore,
    private readonly media: MediaJobStore,
    @Inject(LOG) private readonly log: Log,
  ) {}

  async read(): Promise<Counts> {
    if (this.latest === undefined) return this.count()
    if (performance.now() - this.countedAt > FRESH_MS)
      this.count().catch((error: unknown) => this.log.warn({ err: error }, 'catalog not counted, will retry'))
    return this.latest
  }

  private count(): Promise<Counts> {
    this.counting ??= this.countAll().finally(() => {
      this.counting = undefined
    })
    return this.counting
  }

  private async countAll(): Promise<Counts> {
    const [all, deleted, categories, pictures] = await Promise.all([
      this.products.estimateCount(),
      this.products.countDeleted(),
      this.categories.estimateCount(),
      this.media.countUndone(),
    ])
    const counts = {
      products: Math.max(0, all - deleted),
      deleted,
      categories,
      pictures_pending: pictures.pending,
      pictures_failed: pictures.failed,
      pictures_failed_since: pictures.failedSince?.toISOString() ?? null,
    }
    this.latest = counts
    this.countedAt = performance.now()
    return counts
  }
}
