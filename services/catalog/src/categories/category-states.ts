import { Controller } from '@nestjs/common'
import { getCategoryStates as contract } from '@partsbus/contracts/catalog/commands'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { findImageStates } from '../media/image-states.js'
import { MediaSetStore } from '../media/media-set-store.js'
import { CategoryStore } from './category-store.js'

/** erp.md#category-status */
@Controller()
export class CategoryStates {
  constructor(
    private readonly categories: CategoryStore,
    private readonly sets: MediaSetStore,
  ) {}

  @Handles(contract)
  async getCategoryStates({ body }: CallOf<typeof contract>): Promise<ReplyOf<typeof contract>> {
    const keys = [...new Set(body.ids_erp)]
    const [docs, imagesOf] = await Promise.all([
      this.categories.findByErpIds(keys, ['description']),
      findImageStates(this.sets, 'category', keys),
    ])
    const categories = [...docs.values()].map((category) => ({
      erp_id: category._id,
      name: category.name,
      parent_erp_id: category.parent_erp_id,
      pending_parent_erp_id: category.pending_parent_erp_id,
      slug: category.slug,
      is_active: category.is_active,
      updated_at: category.updated_at.toISOString(),
      images: imagesOf(category),
    }))
    return { categories }
  }
}
