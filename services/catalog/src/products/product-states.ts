import { Controller } from '@nestjs/common'
import { getProductStates as contract } from '@partsbus/contracts/catalog/commands'
import { AppError, texts } from '@partsbus/contracts/app-error'
import type { ReplyOf, RequestOf } from '@partsbus/contracts/message'
import { Semaphore } from '@partsbus/platform/async/semaphore'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { findImageStates } from '../media/image-states.js'
import { MediaSetStore } from '../media/media-set-store.js'
import type { ProductDocument } from './product-document.js'
import { ProductStore } from './product-store.js'

/** What is read only when it was asked for. */
const CONTENT = ['attributes', 'category_erp_ids'] as const
/** Calls that read it at a time: each holds up to 8 MiB of stored products. */
const WHOLE_AT_ONCE = 2

/** erp.md#status */
@Controller()
export class ProductStates {
  private readonly whole = new Semaphore(WHOLE_AT_ONCE)

  constructor(
    private readonly products: ProductStore,
    private readonly sets: MediaSetStore,
  ) {}

  /**
   * @throws AppError TOO_LARGE when the attributes of that many products do not fit into one reply, OVERLOADED when the
   * calls before it that ask for attributes take too long
   */
  @Handles(contract)
  getProductStates(call: CallOf<typeof contract>): Promise<ReplyOf<typeof contract>> {
    if (call.body.fields !== true) return this.findStates(call.body)
    const refusal = (): Error => new AppError('OVERLOADED', texts.unavailable)
    return this.whole.runWithin(call.timeLeft(), refusal, () => this.findStates(call.body))
  }

  private async findStates(body: RequestOf<typeof contract>): Promise<ReplyOf<typeof contract>> {
    const keys = [...new Set(body.ids_erp)]
    const [docs, imagesOf] = await Promise.all([
      body.fields === true ? this.findWhole(keys) : this.products.findByErpIds(keys, [...CONTENT, 'description']),
      findImageStates(this.sets, 'product', keys),
    ])
    const products = [...docs.values()].map((product) => ({
      ...toState(product),
      images: imagesOf(product),
      ...(body.fields === true && toFields(product)),
    }))
    return { products }
  }

  private async findWhole(keys: readonly string[]): Promise<Map<string, ProductDocument>> {
    const { docs, unread } = await this.products.readSlice(keys, ['description'])
    if (unread.length > 0) throw new AppError('TOO_LARGE', texts.replyTooLarge)
    return docs
  }
}

function toState(product: ProductDocument) {
  return {
    id: product.id,
    erp_id: product._id,
    slug: product.slug,
    is_active: product.is_active,
    is_deleted: product.deleted_at !== null,
    updated_at: product.updated_at.toISOString(),
  }
}

function toFields({ name, brand, article, category_erp_ids, attributes }: ProductDocument) {
  return { name, brand, article, category_ids_erp: category_erp_ids, attributes }
}
