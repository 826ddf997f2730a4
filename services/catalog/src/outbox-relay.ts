import { Inject, Injectable, type OnModuleInit } from '@nestjs/common'
import { measureOutbox } from '@partsbus/platform/mongo/outbox-metrics'
import { OutboxStore, type OverdueEntry } from '@partsbus/platform/mongo/outbox-store'
import { LOG, METRICS } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import type { Metrics } from '@partsbus/platform/process/metrics'
import { CategoryStore } from './categories/category-store.js'
import { type BatchEventKind, type EventItem, eventMessages } from './events/event-messages.js'
import { ABANDONED_AFTER_MS, type EntryItem, EventOutbox } from './events/event-outbox.js'
import type { ItemDocument } from './items/item-document.js'
import { ProductStore } from './products/product-store.js'

/** A younger batch is probably still at work. */
const OVERDUE_AFTER_MS = 5_000

interface Revisions {
  findRevisions(erpIds: readonly string[]): Promise<Map<string, Pick<ItemDocument, 'id' | 'rev' | 'batches'>>>
}

/**
 * Publishes the events of batches whose process was killed or could not reach the stream.
 *
 * An entry whose items all carry the id of its batch is published and deleted. Otherwise the batch may still be at
 * work, or later batches have pushed its id out: the relay waits until the batch cannot write any more and the majority
 * has what it wrote, and then publishes every item that has reached the recorded revision. An item may be reported
 * although another batch made the change; none is left out.
 */
@Injectable()
export class OutboxRelay implements OnModuleInit {
  private readonly publishers: Record<BatchEventKind, (entry: OverdueEntry, isAbandoned: boolean) => Promise<boolean>>

  constructor(
    private readonly outbox: OutboxStore,
    private readonly events: EventOutbox,
    products: ProductStore,
    categories: CategoryStore,
    @Inject(METRICS) metrics: Metrics,
    @Inject(LOG) private readonly log: Log,
  ) {
    measureOutbox(metrics, outbox)
    this.publishers = {
      'category.upserted': (entry, isAbandoned) => this.publishBatch(categories, entry, isAbandoned),
      'category.deactivated': (entry, isAbandoned) => this.publishBatch(categories, entry, isAbandoned),
      'product.upserted': (entry, isAbandoned) => this.publishBatch(products, entry, isAbandoned),
      'product.deactivated': (entry, isAbandoned) => this.publishBatch(products, entry, isAbandoned),
    }
  }

  onModuleInit(): Promise<void> {
    return this.outbox.ensureIndexes()
  }

  async relay(
    isStopped: () => boolean,
    { overdueAfterMs = OVERDUE_AFTER_MS, abandonedAfterMs = ABANDONED_AFTER_MS } = {},
  ): Promise<void> {
    await this.outbox.relay({
      olderThanMs: overdueAfterMs,
      isStopped,
      failed: (error, { _id, kind }) =>
        this.log.warn({ err: error, batch: _id, kind }, 'events not published, will retry'),
      publish: async (entry) => {
        const publish = Object.hasOwn(this.publishers, entry.kind) && this.publishers[entry.kind as BatchEventKind]
        // written by a newer version of the service, whose processes publish it
        if (!publish) throw new Error(`unknown outbox entry kind: ${entry.kind}`)
        return publish(entry, entry.ageMs >= abandonedAfterMs)
      },
    })
  }

  private async publishBatch(store: Revisions, entry: OverdueEntry, isAbandoned: boolean): Promise<boolean> {
    if (isAbandoned && !(await this.outbox.awaitMajority(entry._id))) return false
    const recorded = JSON.parse(entry.payload) as EntryItem[]
    const stored = await store.findRevisions(recorded.map(([erpId]) => erpId))
    const items: EventItem[] = []
    for (const [erp_id, created, changed, rev = 0] of recorded) {
      const doc = stored.get(erp_id)
      if (doc && (isAbandoned ? doc.rev >= rev : doc.batches.includes(entry._id)))
        items.push({ id: doc.id, erp_id, created: created === 1, changed })
    }
    if (items.length < recorded.length && !isAbandoned) return false
    await this.events.publish(eventMessages(entry.kind as BatchEventKind, entry._id, entry.at, items))
    return true
  }
}
