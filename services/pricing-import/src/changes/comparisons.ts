import { Injectable, type OnModuleDestroy } from '@nestjs/common'
import { AppError, texts } from '@partsbus/contracts/app-error'
import { Semaphore } from '@partsbus/platform/async/semaphore'
import { LRUCache } from 'lru-cache'
import type { OfferFilter } from '../offers/offer-filter.js'
import { OfferStore, type PlacedValues } from '../offers/offer-store.js'
import type { PlaceRange } from '../offers/sample-places.js'
import type { KeptVersion } from '../price-lists/price-list-record.js'
import { OfferDiff } from './diff-offers.js'
import type { OfferChanges } from './offer-changes.js'

/** Two versions of a list that are compared, or the part of them that a filter selects. */
export interface ComparedVersions {
  older: KeptVersion
  newer: KeptVersion
  filter: OfferFilter
}
interface Comparison extends ComparedVersions {
  /** how long it may wait for its turn */
  waitMs: number
  /** throws when one of the versions may have lost rows */
  assertKept: () => Promise<unknown>
}

/** A larger version is not compared. */
export const MAX_OFFERS = 2_000_000
/** Comparisons that run. */
const AT_ONCE = 1
/** Of the largest: 16 B for an offer, up to 37 B for a key while their table grows, 9 B for a change. */
export const DIFF_MB = 224
/** Memory of those that are kept. */
export const KEPT_MB = 64
/** Beside the changes. */
const OWN_BYTES = 1024
/** Places of a page. */
const PAGE = 4_000
/** So that a database with several processors uses them. */
const PAGES_AT_ONCE = 3

/**
 * Compares versions and keeps the results. A version does not change once it is live, so that a result stays right
 * while both are kept. Identical calls share one comparison, which goes on when its callers no longer wait: the next
 * one finds it done.
 */
@Injectable()
export class Comparisons implements OnModuleDestroy {
  private readonly places = new Semaphore(AT_ONCE)
  private readonly kept = new LRUCache<string, OfferChanges, Comparison>({
    maxSize: KEPT_MB * 1024 * 1024,
    sizeCalculation: ({ bytes }) => bytes + OWN_BYTES,
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context }) => this.compareInTurn(context),
  })
  private isStopping = false

  constructor(private readonly offers: OfferStore) {}

  /** @throws AppError CONFLICT, OVERLOADED when others are compared for too long */
  async get(comparison: Comparison): Promise<OfferChanges> {
    const { older, newer, filter } = comparison
    for (const { version, rows } of [older, newer])
      if (rows > MAX_OFFERS) throw new AppError('CONFLICT', `Version ${version} is too large to be compared.`)
    const key = JSON.stringify([older.version, newer.version, filter])
    return this.kept.forceFetch(key, { context: comparison })
  }

  onModuleDestroy(): void {
    this.isStopping = true
  }

  private compareInTurn(comparison: Comparison): Promise<OfferChanges> {
    return this.places.runWithin(
      comparison.waitMs,
      () => new AppError('OVERLOADED', texts.unavailable),
      () => this.compare(comparison),
    )
  }

  private async compare({ older, newer, filter, assertKept }: Comparison): Promise<OfferChanges> {
    const diff = new OfferDiff(older.rows, newer.rows)
    await this.readAll(older.version, filter, (offer) => diff.addOld(offer))
    await this.readAll(newer.version, filter, (offer) => diff.addNew(offer))
    // the rows of a version are deleted after it was dropped from those that are kept
    await assertKept()
    return diff.finish()
  }

  /** Pages are added in their order; the next ones are on their way meanwhile. */
  private async readAll(version: number, filter: OfferFilter, add: (offer: PlacedValues) => void): Promise<void> {
    const pages: Promise<PlacedValues[]>[] = []
    const addFirst = async () => {
      if (this.isStopping) throw new AppError('UNAVAILABLE', texts.unavailable)
      for (const offer of (await pages.shift()) ?? []) add(offer)
    }
    // the index finds the few offers of an article; other pages are ranges of places
    const ranges = filter.articleKey === undefined ? pageRanges(await this.offers.placesOf(version)) : [undefined]
    for (const range of ranges) {
      const page = this.offers.differing(version, filter, range)
      // thrown by `addFirst`
      page.catch(() => undefined)
      pages.push(page)
      if (pages.length === PAGES_AT_ONCE) await addFirst()
    }
    while (pages.length > 0) await addFirst()
  }
}

function* pageRanges(ranges: readonly PlaceRange[]): Generator<PlaceRange> {
  for (const { from, to } of ranges)
    for (let first = from; first <= to; first += PAGE) yield { from: first, to: Math.min(to, first + PAGE - 1) }
}
