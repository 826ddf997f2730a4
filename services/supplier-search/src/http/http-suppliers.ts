import { AppError } from '@partsbus/contracts/errors'
import { Semaphore } from '@partsbus/platform/async/semaphore'
import { dialects } from '../dialects/dialects.js'
import type { Dialect, HttpSupplier, SupplierReply, SupplierRequest } from '../dialects/dialect.js'
import type { BrandRow, Offer } from '../search/offer.js'
import { STORAGE_MS } from '../search/budget.js'
import type { HttpStorage } from '../search/storage-answer.js'
import { AnswerCache } from './answer-cache.js'
import { Breaker } from './breaker.js'
import { Flights } from './flights.js'
import type { SupplierTransport } from './transport.js'
import { unionOfReplies } from './union-of-replies.js'

const CACHE_SECONDS = 60
/** Rows in memory, about 300 bytes each. */
const CACHE_WEIGHT = 200_000
/** Requests to one supplier at a time. */
const PLACES = 16
/** Requests that one question may need where a supplier is asked for each brand by itself. */
const MAX_REQUESTS = 100
/** Suppliers whose state is kept; more than any shop has. */
const MAX_SUPPLIERS = 5_000

/** What is remembered of one supplier as it is configured now; another configuration starts afresh. */
interface SupplierState {
  breaker: Breaker
  places: Semaphore
}

/** A question in the words of the supplier's dialect. */
interface WordedQuestion<Row> {
  requests: SupplierRequest[]
  read: (reply: SupplierReply) => Row[]
}

interface Question<Row> {
  key: string
  inWords: () => WordedQuestion<Row>
}

export interface Answered<Row> {
  rows: Row[]
  cached: boolean
}

/** Thrown for a supplier that is cut off for now. */
export class CutOff extends AppError {
  constructor() {
    super('UNAVAILABLE', 'The supplier is cut off for a while, as it failed several times in a row.')
  }
}

/**
 * Asks http suppliers: from the cache, else together with whoever asks the same right now, else over the network,
 * unless the supplier is cut off.
 */
export class HttpSuppliers {
  private readonly transport: SupplierTransport
  private readonly now: () => number
  private readonly states = new Map<string, SupplierState>()
  private readonly flights = new Flights()
  private readonly cache: AnswerCache

  /** @param now milliseconds of a clock that never goes back */
  constructor(transport: SupplierTransport, now: () => number = () => performance.now()) {
    this.transport = transport
    this.now = now
    this.cache = new AnswerCache(CACHE_WEIGHT, now)
  }

  /** @throws AppError TIMEOUT or UNAVAILABLE, with words for the administrator */
  brands(storage: HttpStorage, article: string, limitMs: number): Promise<Answered<BrandRow>> {
    return this.ask(
      storage,
      { key: JSON.stringify(['brands', article]), inWords: () => brandsQuestion(storage.supplier, article) },
      limitMs,
    )
  }

  /** @param brands in the supplier's own spelling. @throws as {@link brands} */
  parts(storage: HttpStorage, article: string, brands: readonly string[], limitMs: number): Promise<Answered<Offer>> {
    const { supplier } = storage
    const inWords = (): WordedQuestion<Offer> => {
      const dialect = dialectOf(supplier)
      return { requests: dialect.parts(supplier, article, brands).slice(0, MAX_REQUESTS), read: dialect.readParts }
    }
    return this.ask(storage, { key: JSON.stringify(['parts', article, brands]), inWords }, limitMs)
  }

  /** Asks once, past cache and breaker (admin.md#storage-test). @throws as {@link brands} */
  async probe(supplier: HttpSupplier, article: string): Promise<BrandRow[]> {
    const { requests, read } = brandsQuestion(supplier, article)
    return new Flights().join('probe', supplier.timeout_ms ?? STORAGE_MS, async (signal) => {
      const replies = await Promise.all(
        requests.map((request) => this.transport.send(supplier.base_url, request, signal)),
      )
      return replies.flatMap(read)
    })
  }

  close(): Promise<void> {
    return this.transport.close()
  }

  private async ask<Row>(storage: HttpStorage, question: Question<Row>, limitMs: number): Promise<Answered<Row>> {
    const { supplier } = storage
    const configured = configurationOf(storage)
    const key = `${configured} ${question.key}`
    const known = this.cache.get<Row>(key)
    if (known) return { rows: known, cached: true }
    const { requests, read } = question.inWords()
    const rows = await this.flights.join(key, limitMs, async (signal) => {
      const found = await this.askGuarded(this.stateOf(configured), supplier, { requests, read }, signal)
      this.cache.put(key, found, supplier.cache_seconds ?? CACHE_SECONDS)
      return found
    })
    return { rows, cached: false }
  }

  private async askGuarded<Row>(
    { breaker, places }: SupplierState,
    supplier: HttpSupplier,
    question: WordedQuestion<Row>,
    signal: AbortSignal,
  ): Promise<Row[]> {
    if (!breaker.enter()) throw new CutOff()
    const started = this.now()
    const failed = new AbortController()
    // of several requests the first that fails ends the others; one alone is spared the signal
    const either = question.requests.length === 1 ? signal : AbortSignal.any([signal, failed.signal])
    try {
      const replies = await Promise.all(
        question.requests.map((request) =>
          places.run(either, () => this.transport.send(supplier.base_url, request, either)),
        ),
      )
      const rows = unionOfReplies(replies.map(question.read))
      breaker.succeeded()
      return rows
    } catch (error) {
      failed.abort(error)
      // a caller in a hurry does not make the supplier slow
      if (signal.aborted && this.now() - started < 0.8 * (supplier.timeout_ms ?? STORAGE_MS)) breaker.withdrawn()
      else breaker.failed()
      throw error
    }
  }

  private stateOf(configured: string): SupplierState {
    let state = this.states.get(configured)
    if (!state) {
      state = { breaker: new Breaker(this.now), places: new Semaphore(PLACES) }
      this.states.set(configured, state)
      if (this.states.size > MAX_SUPPLIERS) this.states.delete(this.states.keys().next().value ?? '')
    }
    return state
  }
}

function brandsQuestion(supplier: HttpSupplier, article: string): WordedQuestion<BrandRow> {
  const dialect = dialectOf(supplier)
  return { requests: [dialect.brands(supplier, article)], read: dialect.readBrands }
}

const configurations = new WeakMap<HttpStorage, string>()

/** A storage and its supplier in words; the same list of storages is used for as long as nothing changes in it. */
function configurationOf(storage: HttpStorage): string {
  const known = configurations.get(storage)
  if (known !== undefined) return known
  const words = `${storage.id} ${JSON.stringify(storage.supplier)}`
  configurations.set(storage, words)
  return words
}

function dialectOf(supplier: HttpSupplier): Dialect {
  return dialects[supplier.dialect ?? 'standard']
}
