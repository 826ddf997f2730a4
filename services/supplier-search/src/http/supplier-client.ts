import { createHash } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { OnModuleDestroy } from '@nestjs/common'
import { AppError } from '@partsbus/contracts/app-error'
import { Semaphore } from '@partsbus/platform/async/semaphore'
import { currentScope } from '@partsbus/platform/bus/call-scope'
import { LRUCache } from 'lru-cache'
import { dialects } from '../dialects/dialects.js'
import type { Dialect, HttpSupplier, SupplierReply, SupplierRequest } from '../dialects/dialect.js'
import { STORAGE_MS } from '../search/deadline.js'
import type { BrandRow, Offer } from '../search/offer.js'
import type { HttpStorage } from '../search/storage-answer.js'
import { CircuitBreaker } from './circuit-breaker.js'
import { type HeldByQuery, HeldReplies, NoRoom, ReplyMemory, SupplierMemory, weigh } from './reply-memory.js'
import { SingleFlight } from './single-flight.js'
import type { SupplierTransport } from './transport.js'
import { UnionOfReplies } from './union-of-replies.js'

const CACHE_SECONDS = 60
/** Rows in memory. */
const CACHE_BYTES = 64_000_000
/** Bytes of a cached reply besides its rows. */
const REPLY_BYTES = 1_500
/** Requests to one supplier at a time. */
const SLOTS = 16
/** Maximum number of requests of one query to a supplier that takes one brand per request. */
const MAX_REQUESTS = 100
/** If this many requests of a query fail before any succeeds, the others are not sent. */
const GIVE_UP_AFTER = 3
/** More suppliers than any shop has. */
const MAX_SUPPLIERS = 5_000

/** The state of one supplier with its present configuration; a changed configuration starts with a new state. */
interface SupplierState {
  breaker: CircuitBreaker
  /**
   * Free slots go to the callers in turn, and to the queries of each in turn: a query that needs a hundred requests
   * does not delay one that needs one, nor does a caller with a hundred queries delay another (rules.md#overload).
   */
  slots: Semaphore
  memory: SupplierMemory
}

interface Query<Row> {
  requests: SupplierRequest[]
  read: (reply: SupplierReply) => Row[]
  /** whether some of the spellings are left out */
  isCut: boolean
}

export interface SupplierReplyRows<Row> {
  rows: readonly Row[]
  isCached: boolean
  /** some spellings were not sent, or the supplier did not answer for them */
  isPartial: boolean
}

/** A query for parts, of any number of suppliers. */
export class PartsRequest {
  readonly key: string

  /** @param brands in the supplier's own spelling */
  constructor(
    readonly article: string,
    readonly brands: readonly string[],
  ) {
    this.key = JSON.stringify(['parts', article, brands])
  }
}

/** Thrown while the circuit breaker of a supplier is open. */
export class CircuitOpen extends AppError {
  constructor() {
    super('UNAVAILABLE', 'The supplier failed several times in a row and is not asked for 30 s.')
  }
}

/**
 * Asks http suppliers: from the cache, else together with callers of the same query, else over the network, unless the
 * circuit breaker is open (rules.md#suppliers-cache, rules.md#suppliers-breaker).
 */
export class SupplierClient implements OnModuleDestroy {
  private readonly transport: SupplierTransport
  private readonly now: () => number
  private readonly states = new LRUCache<string, SupplierState>({ max: MAX_SUPPLIERS })
  private readonly flights = new SingleFlight()
  private readonly cache: LRUCache<string, readonly object[]>
  private readonly memory = new ReplyMemory()

  /** @param now milliseconds of a clock that never goes back */
  constructor(transport: SupplierTransport, now: () => number = () => performance.now()) {
    this.transport = transport
    this.now = now
    this.cache = new LRUCache({
      maxSize: CACHE_BYTES,
      maxEntrySize: CACHE_BYTES / 10,
      sizeCalculation: (rows) => weigh(rows) + REPLY_BYTES,
      ttlResolution: 0,
      perf: { now },
    })
  }

  /**
   * @param held keeps the bytes of the rows reserved until it is released
   * @throws AppError TIMEOUT or UNAVAILABLE, with a reason for the administrator
   */
  findBrands(
    storage: HttpStorage,
    article: string,
    limitMs: number,
    held: HeldByQuery,
  ): Promise<SupplierReplyRows<BrandRow>> {
    const key = JSON.stringify(['brands', article])
    return this.ask(storage, key, () => brandsQuery(storage.supplier, article), limitMs, held)
  }

  /** The offers in the cache. */
  findCachedParts(storage: HttpStorage, { key }: PartsRequest): readonly Offer[] | undefined {
    return this.cache.get(cacheKey(storage, key)) as readonly Offer[] | undefined
  }

  /** @throws as {@link findBrands} */
  findParts(
    storage: HttpStorage,
    { article, brands, key }: PartsRequest,
    limitMs: number,
    held: HeldByQuery,
  ): Promise<SupplierReplyRows<Offer>> {
    const { supplier } = storage
    const query = (): Query<Offer> => {
      const dialect = selectDialect(supplier)
      const requests = dialect.parts(supplier, article, brands)
      return {
        requests: requests.slice(0, MAX_REQUESTS),
        read: dialect.readParts,
        isCut: requests.length > MAX_REQUESTS,
      }
    }
    return this.ask(storage, key, query, limitMs, held)
  }

  /** Asks once, without cache and circuit breaker (admin.md#storage-test). @throws as {@link findBrands} */
  async probe(supplier: HttpSupplier, article: string): Promise<BrandRow[]> {
    const { requests, read } = brandsQuery(supplier, article)
    const held = new HeldReplies(new SupplierMemory(this.memory))
    return new SingleFlight().run('probe', supplier.timeout_ms ?? STORAGE_MS, async (signal) => {
      try {
        const replies = requests.map((request) => this.transport.send(supplier.base_url, request, signal, held))
        return (await Promise.all(replies)).flatMap(read)
      } finally {
        held.release()
      }
    })
  }

  onModuleDestroy(): Promise<void> {
    return this.transport.close()
  }

  private async ask<Row extends object>(
    storage: HttpStorage,
    queryKey: string,
    query: () => Query<Row>,
    limitMs: number,
    held: HeldByQuery,
  ): Promise<SupplierReplyRows<Row>> {
    const { supplier } = storage
    const configuration = configurationKey(storage)
    const key = cacheKey(storage, queryKey)
    const cached = this.cache.get(key)
    if (cached) return { rows: cached as readonly Row[], isCached: true, isPartial: false }
    const found = await this.flights.run(key, limitMs, async (signal) => {
      const state = this.stateOf(configuration)
      const replies = new HeldReplies(state.memory)
      try {
        const result = await this.send(state, supplier, query(), signal, replies)
        const seconds = supplier.cache_seconds ?? CACHE_SECONDS
        if (!result.isPartial && seconds > 0) this.cache.set(key, result.rows, { ttl: seconds * 1_000 })
        return { ...result, replies }
      } finally {
        // after the callers have retained it
        setImmediate(() => replies.release())
      }
    })
    held.retain(found.replies)
    return { rows: found.rows, isPartial: found.isPartial, isCached: false }
  }

  /** A query fails when none of its requests was answered; some that fail or have no room make it partial. */
  private async send<Row extends object>(
    { breaker, slots }: SupplierState,
    supplier: HttpSupplier,
    { requests, read, isCut }: Query<Row>,
    signal: AbortSignal,
    held: HeldReplies,
  ): Promise<{ rows: Row[]; isPartial: boolean }> {
    if (!breaker.tryEnter()) throw new CircuitOpen()
    const started = this.now()
    const groups = [currentScope()?.caller ?? '', Symbol('query')]
    const giveUp = requests.length > 1 ? new AbortController() : undefined
    const either = giveUp ? AbortSignal.any([signal, giveUp.signal]) : signal
    // every request listens to it
    if (either !== signal) setMaxListeners(0, either)
    let isAnswered = false
    let failures = 0
    const union = new UnionOfReplies<Row>()
    const outcomes = await Promise.allSettled(
      requests.map((request) =>
        slots.run({ signal: either, groups }, async () => {
          if (held.isFull || union.isCut) throw new NoRoom('The answers before it were too large.')
          try {
            union.add(read(await this.transport.send(supplier.base_url, request, either, held)))
            isAnswered = true
          } catch (error) {
            if (!(error instanceof NoRoom)) failures += 1
            if (failures >= GIVE_UP_AFTER && !isAnswered) giveUp?.abort(error)
            throw error
          }
        }),
      ),
    )
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    // a caller with little time does not make the supplier slow
    const isEarly = signal.aborted && this.now() - started < 0.8 * (supplier.timeout_ms ?? STORAGE_MS)
    if (isAnswered || requests.length === 0) breaker.succeed()
    else if (isEarly || failed?.reason instanceof NoRoom) breaker.cancel()
    else breaker.fail()
    if (failed && (signal.aborted || !isAnswered)) throw failed.reason
    held.replaceBy(weigh(union.rows))
    return { rows: union.rows, isPartial: isCut || union.isCut || failed !== undefined }
  }

  private stateOf(configuration: string): SupplierState {
    let state = this.states.get(configuration)
    if (!state) {
      state = {
        breaker: new CircuitBreaker(this.now),
        slots: new Semaphore(SLOTS),
        memory: new SupplierMemory(this.memory),
      }
      this.states.set(configuration, state)
    }
    return state
  }
}

function brandsQuery(supplier: HttpSupplier, article: string): Query<BrandRow> {
  const dialect = selectDialect(supplier)
  return { requests: [dialect.brands(supplier, article)], read: dialect.readBrands, isCut: false }
}

function cacheKey(storage: HttpStorage, queryKey: string): string {
  return `${configurationKey(storage)} ${queryKey}`
}

/** A cached list of storages is used for many queries. */
const configurations = new WeakMap<Readonly<HttpStorage>, string>()

function configurationKey(storage: Readonly<HttpStorage>): string {
  const known = configurations.get(storage)
  if (known !== undefined) return known
  // short, because every query looks the reply of every supplier up by it
  const digest = createHash('sha256').update(JSON.stringify(storage.supplier)).digest('base64url')
  const key = `${storage.id} ${digest}`
  configurations.set(storage, key)
  return key
}

function selectDialect(supplier: HttpSupplier): Dialect {
  return dialects[supplier.dialect ?? 'standard']
}
