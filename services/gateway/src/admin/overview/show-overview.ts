import { getCatalogOverview } from '@partsbus/contracts/catalog/overview'
import type { ApiFigures, Overview, ServiceState } from '@partsbus/contracts/gateway/overview'
import type { Command, ReplyOf, RequestOf } from '@partsbus/contracts/message'
import { getPricingOverview } from '@partsbus/contracts/pricing-import/overview'
import { getStockOverview, type StorageReference } from '@partsbus/contracts/stock/overview'
import { getSearchOverview, type SupplierFigures } from '@partsbus/contracts/supplier-search/overview'
import { toAppError } from '@partsbus/platform/mongo/to-app-error'
import { buildInfo } from '@partsbus/platform/process/build-info'
import type { GatewayContext } from '../../context.js'
import type { ApiAudience } from '../../settings/access-token.js'
import type { SettingsSnapshot } from '../../settings/settings-cache.js'
import { callOptions } from '../admin-context.js'
import type { AdminCall } from '../admin-call.js'
import { findProblems, missingOf } from './find-problems.js'
import { ServiceWatch } from './service-watch.js'

/** How long one part may take, in ms. */
const PART_MS = 1_500
const DAY_MS = 86_400_000

type Call = AdminCall<'GET /overview'>

/** A part and the milliseconds that it took; null where the service did not answer. */
interface Part<Reply> {
  reply: Reply | null
  ms: number | null
}

/** `GET /overview` (admin.md#overview): all parts at the same time; one that does not answer in 1.5 s is null. */
export function overviewHandler(): (call: Call) => Promise<Overview> {
  const watch = new ServiceWatch()
  return async ({ ctx, settings }) => {
    const ask = <C extends Command>(command: C): Promise<Part<ReplyOf<C>>> =>
      measure(ctx, command.subject, () =>
        ctx.calls.request(command, {} as RequestOf<C>, callOptions(settings.call, PART_MS)),
      )
    const [catalog, stock, pricing, search, apis] = await Promise.all([
      ask(getCatalogOverview),
      ask(getStockOverview),
      ask(getPricingOverview),
      ask(getSearchOverview),
      measure(ctx, 'gateway database', () => readApis(ctx)),
    ])
    const now = new Date()
    const note = (name: ServiceState['name'], { ms }: Part<unknown>) => watch.note(name, ms, now)
    const services = [
      note('gateway', apis),
      note('catalog', catalog),
      note('stock', stock),
      note('pricing-import', pricing),
      note('supplier-search', search),
    ]
    const api = (audience: ApiAudience): ApiFigures => apiFigures(audience, settings, apis.reply)
    const found = {
      now,
      services,
      settings,
      apis: { erp: api('erp'), b2b: api('b2b') },
      catalog: catalog.reply,
      stock: stock.reply,
      pricing: pricing.reply,
      suppliers: search.reply && mergeSuppliers(search.reply.suppliers, stock.reply?.storage_references),
    }
    return {
      at: now.toISOString(),
      version: buildInfo.version,
      services: services.map(({ awaySince: _, ...service }) => service),
      problems: findProblems(found),
      imports: pricing.reply?.imports ?? null,
      sources: pricing.reply && withoutFailures(pricing.reply.sources),
      catalog: catalog.reply && withoutSince(catalog.reply),
      stock: stock.reply && stockFigures(stock.reply),
      suppliers: found.suppliers && found.suppliers.map(({ failing_since: _, ...figures }) => figures),
      apis: found.apis,
    }
  }
}

async function measure<Reply>(
  { log }: Pick<GatewayContext, 'log'>,
  part: string,
  ask: () => Promise<Reply>,
): Promise<Part<Reply>> {
  const startedAt = performance.now()
  try {
    return { reply: await ask(), ms: Math.round(performance.now() - startedAt) }
  } catch (error) {
    const { code } = toAppError(error)
    if (code !== 'UNAVAILABLE' && code !== 'TIMEOUT') log.warn({ err: error, part }, 'part of the overview not read')
    return { reply: null, ms: null }
  }
}

type Apis = Record<ApiAudience, Pick<ApiFigures, 'last_call_at' | 'requests' | 'refused' | 'failed'>>

async function readApis({ apis, mongo }: Pick<GatewayContext, 'apis' | 'mongo'>): Promise<Apis> {
  const unavailable = mongo.unavailable()
  if (unavailable) throw unavailable
  const [counts, erp, b2b] = await Promise.all([apis.readLatest(DAY_MS), apis.lastCall('erp'), apis.lastCall('b2b')])
  const figures = ({ requests = 0, refused = 0, failed = 0 }, lastCall: Date | null) => ({
    last_call_at: lastCall?.toISOString() ?? null,
    requests,
    refused,
    failed,
  })
  return { erp: figures(counts.erp, erp), b2b: figures(counts.b2b, b2b) }
}

function apiFigures(audience: ApiAudience, settings: SettingsSnapshot, apis: Apis | null): ApiFigures {
  const figures = apis?.[audience] ?? { last_call_at: null, requests: null, refused: null, failed: null }
  return {
    is_enabled: settings.values[`${audience}_enabled`],
    is_ready: missingOf(audience, settings).length === 0,
    ...figures,
  }
}

type Supplier = ReplyOf<typeof getSearchOverview>['suppliers'][number]

/** The active storages with their figures; the stock service knows their present names, and which exist. */
function mergeSuppliers(suppliers: readonly Supplier[], storages: readonly StorageReference[] | undefined): Supplier[] {
  if (!storages) return [...suppliers]
  const figures = new Map(suppliers.map((each) => [each.storage_id, each]))
  return storages
    .filter(({ is_active }) => is_active)
    .map(({ id, name, kind }) => ({ ...(figures.get(id) ?? quiet(id)), name, kind }))
}

function quiet(storage_id: number): Omit<SupplierFigures, 'name' | 'kind'> & { failing_since: null } {
  return {
    storage_id,
    state: 'quiet',
    asked: 0,
    failed: 0,
    p95_ms: null,
    last_error: null,
    last_ok_at: null,
    failing_since: null,
  }
}

function withoutFailures({ active, failing }: ReplyOf<typeof getPricingOverview>['sources']): Overview['sources'] {
  return { active, failing: failing.map(({ failures: _, ...source }) => source) }
}

function withoutSince({
  pictures_failed_since: _,
  ...figures
}: ReplyOf<typeof getCatalogOverview>): Overview['catalog'] {
  return figures
}

function stockFigures({
  storage_references: _references,
  unreadable: _unreadable,
  ...figures
}: ReplyOf<typeof getStockOverview>): Overview['stock'] {
  return figures
}
