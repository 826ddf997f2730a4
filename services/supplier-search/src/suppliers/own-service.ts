import { Inject, Injectable } from '@nestjs/common'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import type { Offer } from '../search/offer.js'
import type { Outcome, StorageAnswer } from '../search/storage-answer.js'
import { outcomeOf, reasonOf } from './outcome.js'
import { SupplierMetrics, type SupplierOperation } from './supplier-metrics.js'

/** Offers by storage id. */
export interface OwnOffers {
  offers: ReadonlyMap<number, Offer[]>
  /** true when there are more than one query may read */
  isCut: boolean
}

/** Storages of one query. */
interface Asked {
  adapter: 'own-stock' | 'price-list'
  operation: SupplierOperation
  storages: ReadonlyArray<{ id: number; name: string }>
}

/** Turns one read of a service of our own into the answers of all its storages: either all answer, or none. */
@Injectable()
export class OwnServiceAnswers {
  constructor(
    private readonly metrics: SupplierMetrics,
    @Inject(LOG) private readonly log: Log,
  ) {}

  async answer(
    { adapter, operation, storages }: Asked,
    read: () => Promise<OwnOffers>,
  ): Promise<Array<StorageAnswer<Offer>>> {
    const end = this.metrics.duration.startTimer({ adapter, operation })
    let found: OwnOffers = { offers: new Map(), isCut: false }
    let outcome: Outcome
    try {
      found = await read()
      outcome = found.isCut ? 'partial' : 'ok'
    } catch (error) {
      outcome = outcomeOf(error)
      this.log.warn({ adapter, operation, outcome, reason: reasonOf(error) }, 'storages did not answer')
    }
    end({ outcome })
    return storages.map((storage) => ({ storage, outcome, rows: found.offers.get(storage.id) ?? [] }))
  }
}
