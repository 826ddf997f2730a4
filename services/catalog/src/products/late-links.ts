import { Injectable } from '@nestjs/common'
import { AwaitedCategoryStore, type AwaitedCategory } from '../categories/awaited-category-store.js'
import { CategoryStore } from '../categories/category-store.js'
import { eventMessages } from '../events/event-messages.js'
import { EventOutbox } from '../events/event-outbox.js'
import { ProductStore } from './product-store.js'

/** Awaited categories in one step of the sweep, and products in one message. */
const PAGE = 1_000

/** Publishes the products whose link became visible because its category arrived after them (erp.md#products-6). */
@Injectable()
export class LateLinks {
  private sweptTo = ''

  constructor(
    private readonly awaited: AwaitedCategoryStore,
    private readonly categories: CategoryStore,
    private readonly products: ProductStore,
    private readonly events: EventOutbox,
  ) {}

  /**
   * Publishes for the next page of awaited categories. At least once: a record is deleted after its events are sent.
   */
  async sweep(): Promise<void> {
    const awaited = await this.awaited.findPage(this.sweptTo, PAGE)
    this.sweptTo = awaited.length === PAGE ? (awaited.at(-1)?._id ?? '') : ''
    const known = await this.categories.findKnown(awaited.map(({ _id }) => _id))
    for (const category of awaited) {
      if (!known.has(category._id)) continue
      await this.publishLinks(category)
      await this.awaited.delete(category)
    }
  }

  private async publishLinks({ _id, token }: AwaitedCategory): Promise<void> {
    const at = new Date()
    for (let after = 0; ;) {
      const linked = await this.products.findLinkedTo(_id, after, PAGE)
      const items = linked.map((product) => ({
        id: product.id,
        erp_id: product._id,
        created: false,
        changed: ['categories'],
      }))
      await this.events.publish(eventMessages('product.upserted', `${token}.${after}`, at, items))
      if (linked.length < PAGE) return
      after = linked.at(-1)?.id ?? after
    }
  }
}
