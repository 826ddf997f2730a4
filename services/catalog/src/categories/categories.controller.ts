import { Controller } from '@nestjs/common'
import * as contract from '@partsbus/contracts/catalog/commands'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { FullSyncMarks } from '../full-sync/full-sync-marks.js'
import { LatestBatchStore } from '../overview/latest-batch-store.js'
import { Categories } from './categories.js'
import { CategoryStates } from './category-states.js'
import { CategoryStore } from './category-store.js'
import { UpsertCategories } from './upsert-categories.js'

@Controller()
export class CategoriesController {
  constructor(
    private readonly categories: Categories,
    private readonly upsert: UpsertCategories,
    private readonly states: CategoryStates,
    private readonly latestBatch: LatestBatchStore,
    private readonly marks: FullSyncMarks,
    private readonly store: CategoryStore,
  ) {}

  @Handles(contract.upsertCategories)
  upsertCategories(call: CallOf<typeof contract.upsertCategories>) {
    this.latestBatch.note()
    return this.marks.process('categories', call, this.store, () => this.upsert.upsertCategories(call))
  }

  @Handles(contract.deactivateCategories)
  deactivateCategories(call: CallOf<typeof contract.deactivateCategories>) {
    this.latestBatch.note()
    return this.categories.deactivateCategories(call)
  }

  @Handles(contract.listCategories)
  listCategories(call: CallOf<typeof contract.listCategories>) {
    return this.categories.listCategories(call)
  }

  @Handles(contract.getCategory)
  getCategory(call: CallOf<typeof contract.getCategory>) {
    return this.categories.getCategory(call)
  }

  @Handles(contract.getCategoryStates)
  getCategoryStates(call: CallOf<typeof contract.getCategoryStates>) {
    return this.states.getCategoryStates(call)
  }
}
