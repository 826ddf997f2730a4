import { Inject, Injectable } from '@nestjs/common'
import { articleKey } from '@partsbus/contracts/article'
import { getStockReferences, type StorageReference } from '@partsbus/contracts/stock/overview'
import type { CallSettings } from '@partsbus/contracts/administration/settings'
import { toAppError } from '@partsbus/platform/mongo/to-app-error'
import { BusClient } from '@partsbus/platform/bus/client'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { SynonymCache } from '../brand-synonyms/synonym-cache.js'
import { HeldByQuery } from '../http/reply-memory.js'
import { OwnStockAdapter } from '../suppliers/own-stock.js'
import type { OwnServiceAdapter } from '../suppliers/own-service.js'
import { PriceListAdapter } from '../suppliers/price-list.js'
import type { BrandsQuery } from '../suppliers/supplier-adapter.js'
import { Deadline } from './deadline.js'
import { mergeBrands } from './merge-brands.js'
import { mergeParts } from './merge-parts.js'
import type { Offer } from './offer.js'
import { rowKeys } from './row-keys.js'
import type { NotedAnswer, QueriedStorage } from './storage-answer.js'

/** What an administrator asked for. */
interface Search {
  body: { article: string; brands?: readonly string[] }
  settings: CallSettings
  timeLeft(): number
}

type Answers = Array<NotedAnswer<Offer>>

interface NamedStorage {
  storage_id: number
  storage_name: string
}

interface Asked {
  asked: number
  of: number | null
  also_in: NamedStorage[]
  sold_out: NamedStorage[]
}

/**
 * How many storages were asked, which others would have answered (admin.md#search-unasked), and which have the article
 * sold out (admin.md#search-sold-out).
 */
@Injectable()
export class UnaskedStorages {
  constructor(
    private readonly calls: BusClient,
    private readonly ownStock: OwnStockAdapter,
    private readonly priceList: PriceListAdapter,
    private readonly synonyms: SynonymCache,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Never throws: what is not known is left out. */
  async describe(asked: readonly QueriedStorage[], search: Search): Promise<Asked> {
    const deadline = new Deadline(search.timeLeft())
    try {
      const { storages } = await this.calls.request(
        getStockReferences,
        {},
        { timeoutMs: deadline.limit(), settings: search.settings },
      )
      const active = storages.filter(({ is_active }) => is_active)
      const known = new Set(asked.map(({ id }) => id))
      const [{ also_in, isComplete }, sold_out] = await Promise.all([
        this.findHolders(
          active.filter(({ id }) => !known.has(id)),
          search,
          deadline,
        ),
        this.findSoldOut(active, search, deadline),
      ])
      return { asked: asked.length, of: isComplete ? active.length : null, also_in, sold_out }
    } catch (error) {
      this.log.warn({ reason: toAppError(error).code }, 'storages that were not asked are not known')
      return { asked: asked.length, of: null, also_in: [], sold_out: [] }
    }
  }

  private async findHolders(
    storages: readonly StorageReference[],
    { body: { article, brands } }: Search,
    deadline: Deadline,
  ): Promise<Pick<Asked, 'also_in'> & { isComplete: boolean }> {
    const key = articleKey(article)
    if (key === '' || storages.length === 0) return { also_in: [], isComplete: true }
    const query = { article, articleKey: key, held: new HeldByQuery() }
    const [answers, holders] = brands
      ? await this.findParts(storages, query, brands, deadline)
      : await this.findBrands(storages, query, deadline)
    return { also_in: namesOf(storages, holders), isComplete: answers.every(({ outcome }) => outcome === 'ok') }
  }

  private async findSoldOut(
    storages: readonly StorageReference[],
    { body: { article, brands } }: Search,
    deadline: Deadline,
  ): Promise<NamedStorage[]> {
    const lists = storages.filter(({ kind }) => kind === 'price-list')
    const key = articleKey(article)
    if (key === '' || lists.length === 0) return []
    try {
      const names = brands && (await this.synonyms.resolve(brands, deadline.limit()))
      const query = { articleKey: key, brandKeys: brands && names?.spellingKeys(brands), limitMs: deadline.limit() }
      const found = await this.priceList.findSoldOut(
        lists.map(({ id }) => id),
        query,
      )
      return namesOf(lists, found)
    } catch (error) {
      this.log.warn({ reason: toAppError(error).code }, 'price lists with a quantity of 0 are not known')
      return []
    }
  }

  private async findBrands(
    storages: readonly StorageReference[],
    query: BrandsQuery,
    deadline: Deadline,
  ): Promise<[Answers, Set<number>]> {
    const answers = await this.ask(storages, (adapter, some) => adapter.findBrands(some, query, deadline))
    const spellings = answers.flatMap(({ rows }) => rows.map((row) => rowKeys(row).brand))
    // not all of the time that is left: the answer of the search itself must get back to the caller
    const names = await this.synonyms.resolve(spellings, deadline.limit())
    const entries = await mergeBrands(answers, names, query.articleKey)
    return [answers, new Set(entries.flatMap((entry) => entry.storages.map(({ storage_id }) => storage_id)))]
  }

  private async findParts(
    storages: readonly StorageReference[],
    query: BrandsQuery,
    brands: readonly string[],
    deadline: Deadline,
  ): Promise<[Answers, Set<number>]> {
    const names = await this.synonyms.resolve(brands, deadline.limit())
    const ofBrands = { ...query, brands, names }
    const answers = await this.ask(storages, (adapter, some) => adapter.findParts(some, ofBrands, deadline))
    const identities = new Set(brands.map((brand) => names.identity(brand)))
    identities.delete('')
    const { parts } = await mergeParts(answers, names, { article: query.articleKey, brands: identities })
    return [answers, new Set(parts.map(({ storage_id }) => storage_id))]
  }

  /** Not those of another system, which would count the query. */
  private async ask(
    storages: readonly StorageReference[],
    read: (adapter: OwnServiceAdapter, storages: readonly QueriedStorage[]) => Promise<Answers>,
  ): Promise<Answers> {
    const adapters = { 'own-stock': this.ownStock, 'price-list': this.priceList }
    const answers = await Promise.all(
      (['own-stock', 'price-list'] as const).map((kind) => {
        const ofKind = storages.filter((each) => each.kind === kind)
        const asked = ofKind.map(({ id, name }) => ({ id, name, supplier: { kind } }))
        return asked.length === 0 ? [] : read(adapters[kind], asked)
      }),
    )
    return answers.flat()
  }
}

const namesOf = (storages: readonly StorageReference[], ids: ReadonlySet<number>): NamedStorage[] =>
  storages.filter(({ id }) => ids.has(id)).map(({ id, name }) => ({ storage_id: id, storage_name: name }))
