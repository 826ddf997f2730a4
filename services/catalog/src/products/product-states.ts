import { Injectable } from '@nestjs/common'
import type { getProductStates as contract } from '@partsbus/contracts/catalog/commands'
import type { ProductState } from '@partsbus/contracts/catalog/product-state'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { CallOf } from '@partsbus/platform/bus/call'
import { hideCredentials } from '../media/hide-credentials.js'
import { hasFailed, mediaSetId, type RequestedImage } from '../media/media-set.js'
import { MediaSetStore } from '../media/media-set-store.js'
import type { ProductDocument } from './product-document.js'
import { ProductStore } from './product-store.js'

/** Images with a reason in one reply, so that it always fits one message of the bus. */
const MAX_PROBLEMS = 1_000

/** erp.md#status */
@Injectable()
export class ProductStates {
  constructor(
    private readonly products: ProductStore,
    private readonly sets: MediaSetStore,
  ) {}

  async getProductStates(call: CallOf<typeof contract>): Promise<ReplyOf<typeof contract>> {
    const keys = [...new Set(call.body.ids_erp)]
    const [stored, images] = await Promise.all([
      this.products.findByErpIds(keys, ['description', 'attributes', 'category_erp_ids']),
      this.sets.findImages(keys.map((key) => mediaSetId('product', key))),
    ])
    let left = MAX_PROBLEMS
    const products = [...stored.values()].map((product) => {
      const state = toState(product, images.get(mediaSetId('product', product._id)), left)
      left -= state.images.problems.length
      return state
    })
    return { products }
  }
}

function toState(product: ProductDocument, images: RequestedImage[] | undefined, maxProblems: number): ProductState {
  const count = (status: RequestedImage['status']) => images?.filter((image) => image.status === status).length ?? 0
  return {
    id: product.id,
    erp_id: product._id,
    slug: product.slug,
    is_active: product.is_active,
    is_deleted: product.deleted_at !== null,
    updated_at: product.updated_at.toISOString(),
    images: {
      done: images ? count('done') : product.media.length,
      pending: count('pending'),
      failed: count('failed'),
      problems: (images ?? [])
        .filter(hasFailed)
        .slice(0, maxProblems)
        .map((image) => ({
          url: hideCredentials(image.url),
          attempts: image.attempts,
          reason: image.last_error ?? '',
          is_retried: image.status === 'pending',
        })),
    },
  }
}
