import { Injectable } from '@nestjs/common'
import { AppError, texts } from '@partsbus/contracts/app-error'
import type { RequestOf } from '@partsbus/contracts/message'
import type { exportChanges } from '@partsbus/contracts/pricing-import/commands'
import type { ChangeKind } from '@partsbus/contracts/pricing-import/change-kinds'
import type { VersionChange } from '@partsbus/contracts/pricing-import/version-change'
import { offerFilter } from '../offers/offer-filter.js'
import { OfferStore } from '../offers/offer-store.js'
import { PriceListStore } from '../price-lists/price-list-store.js'
import { keptVersion, noVersionBefore, type NumberedVersion, versionBefore } from '../versions/live-order.js'
import { type ComparedVersions, Comparisons } from './comparisons.js'
import { changeView } from './change-view.js'
import type { OfferChanges } from './offer-changes.js'

/** Time of a call for what follows the wait for a comparison of others. */
const READ_MS = 2_000

export interface FoundChanges extends ComparedVersions {
  older: NumberedVersion
  newer: NumberedVersion
  changes: OfferChanges
}

/** What differs between two versions of a list (admin.md#version-changes). */
@Injectable()
export class ChangePages {
  constructor(
    private readonly lists: PriceListStore,
    private readonly offers: OfferStore,
    private readonly comparisons: Comparisons,
  ) {}

  /** @param timeLeft of the call, in ms @throws AppError NOT_FOUND, CONFLICT, OVERLOADED */
  async find(
    wanted: Omit<RequestOf<typeof exportChanges>, 'format' | 'kind'>,
    timeLeft: number,
  ): Promise<FoundChanges> {
    const { id, from, to } = wanted
    const { older, newer } = await this.versionsOf(id, from, to)
    const compared = { older, newer, filter: offerFilter(wanted) }
    const changes = await this.comparisons.get({
      ...compared,
      waitMs: timeLeft - READ_MS,
      assertKept: () => this.versionsOf(id, older.version, newer.version),
    })
    return { ...compared, changes }
  }

  /** Changes from a position on. @throws AppError CONFLICT when a version lost rows meanwhile */
  async read(
    { older, newer, changes }: FoundChanges,
    position: number,
    limit: number,
    kind: ChangeKind | undefined,
  ): Promise<{ data: VersionChange[]; next: number }> {
    const found = changes.read(position, limit, kind)
    const offersOf = (version: number, places: number[]) =>
      this.offers.at(
        version,
        places.filter((place) => place !== 0),
      )
    const [olds, news] = await Promise.all([
      offersOf(
        older.version,
        found.changes.map((one) => one.old),
      ),
      offersOf(
        newer.version,
        found.changes.map((one) => one.new),
      ),
    ])
    const data = found.changes.map((places) => changeView(places, olds.get(places.old), news.get(places.new)))
    const whole = data.filter((change) => change !== undefined)
    if (whole.length < data.length)
      throw new AppError('CONFLICT', `Version ${older.version} or ${newer.version} is no longer kept.`)
    return { data: whole, next: found.next }
  }

  private async versionsOf(id: number, from: number | undefined, to: number | undefined) {
    const list = await this.lists.find(id)
    if (!list) throw new AppError('NOT_FOUND', texts.notFound)
    const before = from ?? versionBefore(list, to)
    const newer = to === undefined ? undefined : keptVersion(list, to)
    if (before === undefined) throw noVersionBefore(to)
    return { older: keptVersion(list, before), newer: newer ?? keptVersion(list, list.active_version) }
  }
}
