import { Inject, Injectable } from '@nestjs/common'
import { articleKey } from '@partsbus/contracts/article'
import type { BrandEntry, Part } from '@partsbus/contracts/supplier-search/commands'
import { getStockReferences, type StorageReference } from '@partsbus/contracts/stock/overview'
import type { CallSettings } from '@partsbus/contracts/administration/settings'
import { toAppError } from '@partsbus/platform/mongo/to-app-error'
import { BusClient } from '@partsbus/platform/bus/client'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import type { BrandNames } from '../brand-synonyms/brand-names.js'
import { SynonymCache } from '../brand-synonyms/synonym-cache.js'
import { HeldByQuery } from '../http/reply-memory.js'
import { OwnStockAdapter } from '../suppliers/own-stock.js'
import { PriceListAdapter } from '../suppliers/price-list.js'
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

interface Asked {
  asked: number
  of: number | null
  also_in: Array<{ storage_id: number; storage_name: string }>
}

/** How many storages were asked, and which others would have answered (admin.md#search-unasked). */
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
      const also_in = await this.findHolders(
        active.filter(({ id }) => !known.has(id)),
        search,
        deadline,
      )
      return { asked: asked.length, of: active.length, also_in }
    } catch (error) {
      this.log.warn({ reason: toAppError(error).code }, 'storages that were not asked are not known')
      return { asked: asked.length, of: null, also_in: [] }
    }
  }

  private async findHolders(
    storages: readonly StorageReference[],
    { body: { article, brands } }: Search,
    deadline: Deadline,
  ): Promise<Asked['also_in']> {
    const key = articleKey(article)
    if (key === '' || storages.length === 0) return []
    const answers = await this.ask(storages, article, deadline)
    const spellings = brands ?? answers.flatMap(({ rows }) => rows.map((row) => rowKeys(row).brand))
    const names = await this.synonyms.resolve(spellings, deadline.rest())
    const holders = brands
      ? await holdersOfParts(answers, names, key, brands)
      : await holdersOfBrands(answers, names, key)
    return storages.filter(({ id }) => holders.has(id)).map(({ id, name }) => ({ storage_id: id, storage_name: name }))
  }

  /** Not those of another system, which would count the query. */
  private async ask(
    storages: readonly StorageReference[],
    article: string,
    deadline: Deadline,
  ): Promise<Array<NotedAnswer<Offer>>> {
    const held = new HeldByQuery()
    const query = { article, articleKey: articleKey(article), held }
    const ofKind = (kind: 'own-stock' | 'price-list'): QueriedStorage[] =>
      storages.filter((each) => each.kind === kind).map(({ id, name }) => ({ id, name, supplier: { kind } }))
    const [own, listed] = [ofKind('own-stock'), ofKind('price-list')]
    const answers = await Promise.all([
      own.length === 0 ? [] : this.ownStock.findBrands(own, query, deadline),
      listed.length === 0 ? [] : this.priceList.findBrands(listed, query, deadline),
    ])
    return answers.flat()
  }
}

/** Ids of the storages that would be in the answer. */
async function holdersOfBrands(
  answers: ReadonlyArray<NotedAnswer<Offer>>,
  names: BrandNames,
  key: string,
): Promise<Set<number>> {
  const entries: BrandEntry[] = await mergeBrands(answers, names, key)
  return new Set(entries.flatMap(({ storages }) => storages.map(({ storage_id }) => storage_id)))
}

async function holdersOfParts(
  answers: ReadonlyArray<NotedAnswer<Offer>>,
  names: BrandNames,
  key: string,
  brands: readonly string[],
): Promise<Set<number>> {
  const identities = new Set(brands.map((brand) => names.identity(brand)))
  identities.delete('')
  const { parts }: { parts: Part[] } = await mergeParts(answers, names, { article: key, brands: identities })
  return new Set(parts.map(({ storage_id }) => storage_id))
}
