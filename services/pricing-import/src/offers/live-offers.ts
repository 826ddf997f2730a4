import type { InvalidatedCache } from '@partsbus/platform/bus/invalidated-cache'
import { LRUCache } from 'lru-cache'
import type { VersionStore } from '../versions/version-store.js'
import type { FoundOffer, OfferStore } from './offer-store.js'

/** Storages by the versions that are live in them. */
type Live = ReadonlyMap<number, number>

/** Sets of storages whose versions are cached. */
const MAX_KNOWN = 1_000

/**
 * Finds offers of live versions. The live versions of all lists are read at once, so that a query never sees two
 * versions of a list or none, and again after each invalidation. Offers of the previously live versions are read at the
 * same time: a live version never changes, so they are valid if it is still live; otherwise offers are read again.
 */
export class LiveOffers {
  private readonly versions: Pick<VersionStore, 'liveVersions'>
  private readonly offers: Pick<OfferStore, 'find'>
  private readonly fresh: Pick<InvalidatedCache<Live>, 'get' | 'read'>
  private readonly known = new LRUCache<string, Live>({ max: MAX_KNOWN })

  /** @param fresh cache of the live versions */
  constructor(
    versions: Pick<VersionStore, 'liveVersions'>,
    offers: Pick<OfferStore, 'find'>,
    fresh: Pick<InvalidatedCache<Live>, 'get' | 'read'>,
  ) {
    this.versions = versions
    this.offers = offers
    this.fresh = fresh
  }

  /** @param brandKeys undefined: all brands */
  async find(
    storageIds: number[],
    articleKey: string,
    brandKeys?: string[],
    withSoldOut = false,
  ): Promise<{ storageOf: Live; offers: FoundOffer[] }> {
    const read = (live: Live): Promise<FoundOffer[]> =>
      live.size === 0 ? Promise.resolve([]) : this.offers.find(articleKey, [...live.keys()], brandKeys, withSoldOut)
    const key = storageIds.join(',')
    const readLive = (): Promise<Live> => this.readLive(key, storageIds)
    const fresh = this.fresh.get(key, readLive)
    if (fresh) return { storageOf: fresh, offers: await read(fresh) }
    const guessed = this.known.get(key)
    const early = guessed && read(guessed)
    // discarded when the versions cannot be read
    early?.catch(() => undefined)
    const storageOf = await readLive()
    if (early && isSame(guessed, storageOf)) return { storageOf, offers: await early }
    this.known.set(key, storageOf)
    return { storageOf, offers: await read(storageOf) }
  }

  private readLive(key: string, storageIds: number[]): Promise<Live> {
    return this.fresh.read(
      key,
      async () =>
        new Map((await this.versions.liveVersions(storageIds)).map(({ version, storage_id }) => [version, storage_id])),
    )
  }
}

function isSame(one: Live, other: Live): boolean {
  return one.size === other.size && [...one].every(([version, storageId]) => other.get(version) === storageId)
}
