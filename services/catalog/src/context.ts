import { CounterStore } from '@partsbus/platform/mongo/counter-store'
import { publishEvent } from '@partsbus/platform/bus/streams'
import { LeaseStore } from '@partsbus/platform/mongo/lease-store'
import { OutboxStore } from '@partsbus/platform/mongo/outbox-store'
import type { Runtime } from '@partsbus/platform/process/runtime'
import { Background } from './background.js'
import { CategoryStore } from './categories/category-store.js'
import type { CatalogConfig } from './config.js'
import type { MediaPart } from './media/media-part.js'
import { openMedia } from './media/open-media.js'
import { AttributeStore } from './products/attribute-store.js'
import { ProductStore } from './products/product-store.js'

/** What the service owns, built once. */
export interface CatalogContext {
  parts: Runtime
  products: ProductStore
  categories: CategoryStore
  attributes: AttributeStore
  counters: CounterStore
  leases: LeaseStore
  outbox: OutboxStore
  media: MediaPart
  background: Background
  /** publishes a fact and waits until the stream has it; a repeated id is stored once */
  publish: typeof publishEvent extends (nc: never, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never
}

/** Opens the collections with their indexes. */
export async function openContext(parts: Runtime, config: CatalogConfig): Promise<CatalogContext> {
  const { db } = parts.mongo
  const products = new ProductStore(db.collection('products'))
  const categories = new CategoryStore(db.collection('categories'))
  const outbox = new OutboxStore(db.collection('outbox'))
  await Promise.all([products.ensureIndexes(), categories.ensureIndexes(), outbox.ensureIndexes()])
  return {
    parts,
    products,
    categories,
    attributes: new AttributeStore(db.collection('attributes')),
    counters: new CounterStore(db.collection('counters')),
    leases: new LeaseStore(db.collection('leases')),
    outbox,
    media: await openMedia(parts, db, config),
    background: new Background(parts.log),
    publish: (event, payload, id) => publishEvent(parts.bus.nc, event, payload, id),
  }
}
