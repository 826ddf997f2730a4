import { Inject, Injectable } from '@nestjs/common'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import type { Deadline } from '../search/deadline.js'
import { type Offer, readOffer } from '../search/offer.js'
import type { Outcome, QueriedStorage, NotedAnswer } from '../search/storage-answer.js'
import { toOutcome, toReason } from './outcome.js'
import type { BrandsQuery, PartsQuery, SupplierAdapter } from './supplier-adapter.js'
import { SupplierMetrics, type SupplierOperation } from './supplier-metrics.js'

const IDS_PER_REQUEST = 1_000

/** Offers by storage id. */
export interface OwnOffers {
  offers: ReadonlyMap<number, Offer[]>
  /** true when there are more than one query may read */
  isCut: boolean
}

/** For the administrator. */
const services = { 'own-stock': 'The catalog or the stock service', 'price-list': 'The price-list service' } as const

/** The storages of one query. */
interface Query {
  adapter: 'own-stock' | 'price-list'
  operation: SupplierOperation
  storages: ReadonlyArray<{ id: number; name: string }>
}

/** Turns one read of a service of our own into the answers of all its storages: all of them answer, or none. */
@Injectable()
export class OwnServiceAnswers {
  constructor(
    private readonly metrics: SupplierMetrics,
    @Inject(LOG) private readonly log: Log,
  ) {}

  async answer(
    { adapter, operation, storages }: Query,
    read: () => Promise<OwnOffers>,
  ): Promise<Array<NotedAnswer<Offer>>> {
    const end = this.metrics.duration.startTimer({ adapter, operation })
    let found: OwnOffers = { offers: new Map(), isCut: false }
    let outcome: Outcome
    let reason: string | null = null
    const started = performance.now()
    try {
      found = await read()
      outcome = found.isCut ? 'partial' : 'ok'
      if (found.isCut) reason = 'It has more rows for this article than one query may read.'
    } catch (error) {
      outcome = toOutcome(error)
      reason = `${services[adapter]} did not answer${outcome === 'timeout' ? ' in time' : ''}.`
      this.log.warn({ adapter, operation, outcome, reason: toReason(error) }, 'storages did not answer')
    }
    end({ outcome })
    const note = {
      outcome,
      ms: Math.round(performance.now() - started),
      isCached: false,
      isCutOff: false,
      error: reason,
    }
    return storages.map((storage) => ({ storage, rows: found.offers.get(storage.id) ?? [], ...note }))
  }
}

/** A supplier that is a service of our own: one request to it reads the offers of many storages. */
export abstract class OwnServiceAdapter implements SupplierAdapter {
  protected abstract readonly name: Query['adapter']

  constructor(private readonly answers: OwnServiceAnswers) {}

  findBrands(
    storages: readonly QueriedStorage[],
    query: BrandsQuery,
    deadline: Deadline,
  ): Promise<Array<NotedAnswer<Offer>>> {
    return this.answers.answer({ adapter: this.name, operation: 'brands', storages }, () =>
      this.findOffers(
        storages.map(({ id }) => id),
        { articleKey: query.articleKey, brandKeys: undefined, limitMs: deadline.limit() },
      ),
    )
  }

  findParts(
    storages: readonly QueriedStorage[],
    query: PartsQuery,
    deadline: Deadline,
  ): Promise<Array<NotedAnswer<Offer>>> {
    const brandKeys = query.names.spellingKeys(query.brands)
    return this.answers.answer({ adapter: this.name, operation: 'parts', storages }, () =>
      this.findOffers(
        storages.map(({ id }) => id),
        { articleKey: query.articleKey, brandKeys, limitMs: deadline.limit() },
      ),
    )
  }

  protected abstract findOffers(storageIds: number[], query: OffersQuery): Promise<OwnOffers>
}

export interface OffersQuery {
  articleKey: string
  /** all brands when undefined */
  brandKeys: string[] | undefined
  limitMs: number
}

/** Adds a valid row to the offers of its storage. */
export function addOffer(offers: Map<number, Offer[]>, storageId: number, row: object): void {
  const offer = readOffer(row)
  if (!offer) return
  const known = offers.get(storageId)
  if (known) known.push(offer)
  else offers.set(storageId, [offer])
}

/** Ids of at most 1,000 products or storages for one request. */
export function splitIds(ids: readonly number[]): number[][] {
  const chunks: number[][] = []
  for (let start = 0; start < ids.length; start += IDS_PER_REQUEST)
    chunks.push(ids.slice(start, start + IDS_PER_REQUEST))
  return chunks
}
