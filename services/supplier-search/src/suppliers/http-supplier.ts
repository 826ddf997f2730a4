import { setTimeout as sleep } from 'node:timers/promises'
import { Inject, Injectable } from '@nestjs/common'
import { articleKey, brandKey } from '@partsbus/contracts/article'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { recordStep, traceStep } from '@partsbus/platform/process/spans'
import { CircuitOpen, PartsRequest, type SupplierReplyRows, SupplierClient } from '../http/supplier-client.js'
import { SpellingStore } from '../http/spelling-store.js'
import { type Deadline, STORAGE_MS } from '../search/deadline.js'
import type { BrandRow, Offer } from '../search/offer.js'
import type { HttpStorage, NotedAnswer } from '../search/storage-answer.js'
import { toOutcome, toReason } from './outcome.js'
import type { BrandsQuery, PartsQuery, SupplierAdapter } from './supplier-adapter.js'
import { SupplierMetrics, type SupplierOperation } from './supplier-metrics.js'

/**
 * Time that a query waits for spellings to be read or stored; without them a supplier gets every known spelling.
 */
const SPELLINGS_MS = 500

/** Queries each HTTP supplier separately, in its own spelling of the brands. */
@Injectable()
export class HttpSupplierAdapter implements SupplierAdapter<HttpStorage> {
  constructor(
    private readonly client: SupplierClient,
    private readonly spellings: SpellingStore,
    private readonly metrics: SupplierMetrics,
    @Inject(LOG) private readonly log: Log,
  ) {}

  findBrands(
    storages: readonly HttpStorage[],
    query: BrandsQuery,
    deadline: Deadline,
  ): Promise<Array<NotedAnswer<BrandRow>>> {
    return Promise.all(
      storages.map((storage) =>
        this.answer(storage, 'brands', async () => {
          const limitMs = deadline.limit(storage.supplier.timeout_ms ?? STORAGE_MS)
          const reply = await this.client.findBrands(storage, query.article, limitMs, query.held)
          if (!reply.isCached) await this.learnSpellings(storage, reply.rows, query.articleKey, deadline)
          return reply
        }),
      ),
    )
  }

  async findParts(
    storages: readonly HttpStorage[],
    query: PartsQuery,
    deadline: Deadline,
  ): Promise<Array<NotedAnswer<Offer>>> {
    const requestFor = await this.prepareRequests(storages, query, deadline)
    const answers: Array<NotedAnswer<Offer>> = []
    const asked: Array<Promise<NotedAnswer<Offer>>> = []
    for (const storage of storages) {
      const request = requestFor(storage)
      const rows = this.client.findCachedParts(storage, request)
      if (rows) answers.push(this.answerFromCache(storage, 'parts', rows))
      else
        asked.push(
          this.answer(storage, 'parts', () => {
            const limitMs = deadline.limit(storage.supplier.timeout_ms ?? STORAGE_MS)
            return this.client.findParts(storage, request, limitMs, query.held)
          }),
        )
    }
    if (asked.length > 0) answers.push(...(await Promise.all(asked)))
    return answers
  }

  /**
   * The next query finds the spellings (partners.md#parts-2), unless the database is slow: the reply waits only a
   * little.
   */
  private async learnSpellings(
    { supplier }: HttpStorage,
    rows: readonly BrandRow[],
    wantedArticle: string,
    deadline: Deadline,
  ): Promise<void> {
    const brands = rows.filter(({ article }) => articleKey(article) === wantedArticle).map(({ brand }) => brand)
    const learned = this.spellings
      .learn(supplier, brands)
      .catch((error: unknown) => this.log.warn({ reason: toReason(error) }, 'spellings of a supplier not stored'))
    const timeout = new AbortController()
    const { signal } = timeout
    await Promise.race([learned, sleep(deadline.limit(SPELLINGS_MS), undefined, { signal }).catch(() => undefined)])
    timeout.abort()
  }

  /** With the supplier's own spellings of each brand where they are known, else with every spelling of the brand. */
  private async prepareRequests(
    storages: readonly HttpStorage[],
    { article, brands, names }: PartsQuery,
    deadline: Deadline,
  ): Promise<(storage: HttpStorage) => PartsRequest> {
    const wanted = brands.map((brand) => {
      const all = names.spellings(brand)
      return { all, keys: [...new Set(all.map(brandKey))] }
    })
    const suppliers = storages.map(({ supplier }) => supplier)
    const keys = [...new Set(wanted.flatMap((brand) => brand.keys))]
    const known = await this.spellings.read(suppliers, keys, deadline.limit(SPELLINGS_MS)).catch((error: unknown) => {
      this.log.warn({ reason: toReason(error) }, 'spellings of suppliers not read')
      return () => []
    })
    const common = new PartsRequest(article, [...new Set(wanted.flatMap(({ all }) => all))])
    return ({ supplier }) => {
      const own = wanted.map((brand) => known(supplier, brand.keys))
      if (own.every(({ length }) => length === 0)) return common
      const spellings = wanted.flatMap(({ all }, at) => (own[at]?.length ? own[at] : all))
      return new PartsRequest(article, [...new Set(spellings)])
    }
  }

  /** At once: a query of many suppliers repeats often. */
  private answerFromCache<Row>(
    storage: HttpStorage,
    operation: SupplierOperation,
    rows: readonly Row[],
  ): NotedAnswer<Row> {
    recordStep(`supplier.${operation}`, () => ({
      'partsbus.storage': storage.id,
      'partsbus.outcome': 'ok',
      'partsbus.cached': true,
    }))
    this.metrics.duration.observe({ adapter: 'http', operation, outcome: 'cached' }, 0)
    return { storage, outcome: 'ok', rows, ms: 0, isCached: true, isCutOff: false, error: null }
  }

  private answer<Row>(
    storage: HttpStorage,
    operation: SupplierOperation,
    ask: () => Promise<SupplierReplyRows<Row>>,
  ): Promise<NotedAnswer<Row>> {
    return traceStep(
      `supplier.${operation}`,
      async (span) => {
        const answer = await this.measure(storage, operation, ask)
        span?.setAttributes({ 'partsbus.outcome': answer.outcome, 'partsbus.cached': answer.isCached })
        return answer
      },
      () => ({ 'partsbus.storage': storage.id }),
    )
  }

  private async measure<Row>(
    storage: HttpStorage,
    operation: SupplierOperation,
    ask: () => Promise<SupplierReplyRows<Row>>,
  ): Promise<NotedAnswer<Row>> {
    const end = this.metrics.duration.startTimer({ adapter: 'http', operation })
    const started = performance.now()
    const elapsed = (): number => Math.round(performance.now() - started)
    const note = { storage, isCached: false, isCutOff: false, error: null }
    try {
      const { rows, isCached, isPartial } = await ask()
      end({ outcome: isPartial ? 'partial' : isCached ? 'cached' : 'ok' })
      const error = isPartial
        ? 'Some spellings of the brands were not asked for or not answered, or the answers were too large.'
        : null
      return { ...note, outcome: isPartial ? 'partial' : 'ok', rows, ms: elapsed(), isCached, error }
    } catch (error) {
      const outcome = toOutcome(error)
      const isOpen = error instanceof CircuitOpen
      end({ outcome: isOpen ? 'refused' : outcome })
      if (!isOpen) {
        const fields = { storage_id: storage.id, operation, outcome, reason: toReason(error) }
        this.log.warn(fields, 'supplier did not answer')
      }
      return { ...note, outcome, rows: [], ms: elapsed(), isCutOff: isOpen, error: toReason(error) }
    }
  }
}
