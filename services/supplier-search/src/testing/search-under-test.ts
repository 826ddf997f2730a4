import { randomUUID } from 'node:crypto'
import { changes } from '@partsbus/contracts/cache-invalidation'
import { findProductsByArticle } from '@partsbus/contracts/catalog/commands'
import { busHeaders, type Command, type ReplyOf, type RequestOf } from '@partsbus/contracts/message'
import type { findBrands, findParts } from '@partsbus/contracts/supplier-search/commands'
import { findOffers } from '@partsbus/contracts/pricing-import/commands'
import { type CallSettings, defaultCallSettings } from '@partsbus/contracts/administration/settings'
import { findSupplies, resolveStorages } from '@partsbus/contracts/stock/commands'
import { getStockReferences, revealSupplier } from '@partsbus/contracts/stock/overview'
import type { Supplier } from '@partsbus/contracts/stock/storage'
import { type NatsServer, startNats } from '@partsbus/local-stack/start-nats'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { BusClient } from '@partsbus/platform/bus/client'
import { type BusConnection, connectBus } from '@partsbus/platform/bus/connection'
import { createLog } from '@partsbus/platform/process/log'
import { createMetrics } from '@partsbus/platform/process/metrics'
import type { RunningService } from '@partsbus/platform/process/service'
import type { MsgHdrs, Subscription } from '@nats-io/transport-node'
import { type Db, MongoClient } from 'mongodb'
import { supplierSearchConfig } from '../config.js'
import { startSupplierSearch } from '../start.js'

type Product = ReplyOf<typeof findProductsByArticle>['products'][number] & { article_key: string }
type Supply = ReplyOf<typeof findSupplies>['supplies'][number]
type ListedOffer = ReplyOf<typeof findOffers>['offers'][number]

/** A reply with the outcome of each storage from its header. */
type Answer<C extends Command> = C extends typeof findBrands | typeof findParts
  ? ReplyOf<C> & { suppliers: string }
  : ReplyOf<C>

/** The data of the other services; tests fill it. */
export interface World {
  storages: Array<{ id: number; name: string; supplier: Supplier | null; is_active?: boolean }>
  /** storages by point; other points are unknown or inactive */
  points: Record<number, number[]>
  products: Product[]
  supplies: Supply[]
  offers: Array<ListedOffer & { article_key: string }>
}

/** The service on a bus and a database of its own, with the other services answering from a table. */
export interface SearchUnderTest {
  world: World
  db: Db
  bus: NatsServer
  calls: BusClient
  ask<C extends Command>(
    command: C,
    body: RequestOf<C>,
    options?: { storages?: number[]; timeoutMs?: number },
  ): Promise<Answer<C>>
  /** the number of requests that another service received */
  requestCount(command: Command): number
  /** stops one of the other services, until {@link startOther} */
  stopOther(command: Command): void
  startOther(command: Command): void
  /** stops the process and starts another on the same database and bus */
  restart(): Promise<void>
  metrics(): Promise<string>
  stop(): Promise<void>
}

export async function startSearchUnderTest(env: Record<string, string> = {}): Promise<SearchUnderTest> {
  const bus = await startNats()
  const database = `test_search_${randomUUID().slice(0, 8)}`
  const client = await new MongoClient(testMongodbUrl()).connect()
  const connection = await connectBus({ url: bus.url, name: 'test', log: createLog('test', 'silent') })
  const calls = new BusClient(connection, createMetrics('test'))
  const world = createWorld(() => connection.nc.publish(changes.storages))
  const others = answerFrom(world, connection)
  for (const command of others.keys()) others.get(command)?.start()
  const start = (): Promise<RunningService> =>
    startSupplierSearch(
      supplierSearchConfig.parse({
        MONGODB_URL: testMongodbUrl(),
        MONGODB_DATABASE: database,
        NATS_URL: bus.url,
        MANAGEMENT_PORT: 0,
        LOG_LEVEL: 'silent',
        SUPPLIER_ALLOWED_HOSTS: '127.0.0.1,localhost',
        ...env,
      }),
    )
  let service = await start()
  return {
    world,
    db: client.db(database),
    bus,
    calls,
    async ask(command, body, { storages = world.storages.map(({ id }) => id), timeoutMs = 11_000 } = {}) {
      const settings: CallSettings = { ...defaultCallSettings, storages_for_crosses: storages }
      let suppliers: string | undefined
      const onReplyHeaders = (headers: MsgHdrs | undefined): void => {
        suppliers = headers?.has(busHeaders.suppliers) ? headers.get(busHeaders.suppliers) : undefined
      }
      const reply = await calls.request(command, body, { settings, timeoutMs, onReplyHeaders })
      return (suppliers === undefined ? reply : { ...(reply as object), suppliers }) as Answer<typeof command>
    },
    requestCount: (command) => others.get(command.subject)?.requestCount() ?? 0,
    stopOther: (command) => others.get(command.subject)?.stop(),
    startOther: (command) => others.get(command.subject)?.start(),
    async restart() {
      await service.stop()
      service = await start()
    },
    metrics: async () => (await fetch(`http://127.0.0.1:${service.managementPort}/metrics`)).text(),
    async stop() {
      await service.stop()
      await connection.nc.close()
      await client.db(database).dropDatabase()
      await client.close()
      await bus.stop()
    },
  }
}

/** A world that invalidates caches when its storages or points are replaced, as the stock service does. */
function createWorld(invalidate: () => void): World {
  const world: World = { storages: [], points: {}, products: [], supplies: [], offers: [] }
  return new Proxy(world, {
    set(target, name, value) {
      if (name === 'storages' || name === 'points') invalidate()
      return Reflect.set(target, name, value)
    },
  })
}

interface Other {
  requestCount(): number
  start(): void
  stop(): void
}

function answerFrom(world: World, { nc }: BusConnection): Map<string, Other> {
  const others = new Map<string, Other>()
  const answer = <C extends Command>(command: C, reply: (request: RequestOf<C>) => ReplyOf<C>): void => {
    let subscription: Subscription | undefined
    let count = 0
    others.set(command.subject, {
      requestCount: () => count,
      start() {
        subscription = nc.subscribe(command.subject, {
          callback: (_error, message) => {
            count += 1
            message.respond(JSON.stringify(reply(message.json<RequestOf<C>>())))
          },
        })
      },
      stop: () => subscription?.unsubscribe(),
    })
  }
  answer(resolveStorages, (request) => {
    const ids =
      'storage_ids' in request ? request.storage_ids : request.pick_up_point_ids.flatMap((id) => world.points[id] ?? [])
    const all = 'storage_ids' in request && request.include_inactive === true
    const found = world.storages.filter(({ id, is_active = true }) => ids.includes(id) && (all || is_active))
    return {
      storages: found.map(({ id, name, supplier }) => ({ id, name, supplier })).sort((one, other) => one.id - other.id),
    }
  })
  answer(getStockReferences, () => ({
    storages: world.storages.map(({ id, name, supplier, is_active = true }) => {
      return { id, name, is_active, kind: supplier?.kind ?? 'http' }
    }),
    pick_up_points: [],
  }))
  // the stored header values of storage 1; those of any other cannot be decrypted
  answer(revealSupplier, ({ supplier, storage_id }) => {
    if (supplier.kind !== 'http' || !Object.values(supplier.headers ?? {}).includes('***')) return { supplier }
    if (storage_id !== 1) return { supplier: null }
    const headers = Object.keys(supplier.headers ?? {}).map((name) => [name, `stored for ${storage_id}`])
    return { supplier: { ...supplier, headers: Object.fromEntries(headers) as Record<string, string> } }
  })
  answer(findProductsByArticle, ({ article_key }) => ({
    products: world.products
      .filter((product) => product.article_key === article_key)
      .map(({ article_key: _, ...product }) => product),
  }))
  answer(findSupplies, ({ product_ids, storage_ids }) => ({
    supplies: world.supplies.filter(
      (supply) => product_ids.includes(supply.product_id) && storage_ids.includes(supply.storage_id),
    ),
  }))
  answer(findOffers, ({ storage_ids, article_key, with_sold_out }) => ({
    offers: world.offers
      .filter((offer) => storage_ids.includes(offer.storage_id) && offer.article_key === article_key)
      .filter(({ quantity }) => with_sold_out === true || quantity > 0)
      .map(({ article_key: _, ...offer }) => offer),
  }))
  return others
}

/** The setting of an HTTP supplier at this address; nothing is cached by default. */
export function httpSupplier({ url }: { url: string }, more?: Partial<Extract<Supplier, { kind: 'http' }>>): Supplier {
  return {
    kind: 'http',
    base_url: url,
    headers: {},
    timeout_ms: 4_000,
    cache_seconds: 0,
    dialect: 'standard',
    ...more,
  }
}
