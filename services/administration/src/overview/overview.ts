import { Controller, Inject } from '@nestjs/common'
import { getOverview } from '@partsbus/contracts/administration/commands'
import type { ApiAudience } from '@partsbus/contracts/administration/settings-commands'
import { getCatalogOverview } from '@partsbus/contracts/catalog/overview'
import type { ApiFigures, Overview as Shown, ServiceState } from '@partsbus/contracts/administration/overview'
import type { Command, ReplyOf, RequestOf } from '@partsbus/contracts/message'
import { getPricingOverview } from '@partsbus/contracts/pricing-import/overview'
import { getStockOverview, type StorageReference } from '@partsbus/contracts/stock/overview'
import { getSearchOverview, type SupplierFigures } from '@partsbus/contracts/supplier-search/overview'
import type { CallOf } from '@partsbus/platform/bus/call'
import { BusClient } from '@partsbus/platform/bus/client'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { toAppError } from '@partsbus/platform/mongo/to-app-error'
import { buildInfo } from '@partsbus/platform/process/build-info'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { SettingsStore, type StoredSettings } from '../settings/settings-store.js'
import { ApiStatisticsStore } from '../statistics/api-statistics-store.js'
import { findProblems, missingOf } from './find-problems.js'
import { ServiceWatch } from './service-watch.js'

/** How long one part may take, in ms. */
const PART_MS = 1_500
const DAY_MS = 86_400_000

/** A part and the milliseconds that it took; null where the service did not answer. */
interface Part<Reply> {
  reply: Reply | null
  ms: number | null
}

/** The gateway asks, so it is up. */
const ASKING: Part<null> = { reply: null, ms: 0 }

/** `GET /overview` (admin.md#overview): all parts at the same time; one that does not answer in 1.5 s is null. */
@Controller()
export class Overview {
  private readonly watch = new ServiceWatch()

  constructor(
    private readonly calls: BusClient,
    private readonly apis: ApiStatisticsStore,
    private readonly settings: SettingsStore,
    @Inject(LOG) private readonly log: Log,
  ) {}

  @Handles(getOverview)
  async getOverview(call: CallOf<typeof getOverview>): Promise<Shown> {
    const ask = <C extends Command>(command: C): Promise<Part<ReplyOf<C>>> =>
      this.measure(command.subject, () =>
        this.calls.request(command, {} as RequestOf<C>, { timeoutMs: PART_MS, settings: call.settings }),
      )
    const [catalog, stock, pricing, search, apis, settings] = await Promise.all([
      ask(getCatalogOverview),
      ask(getStockOverview),
      ask(getPricingOverview),
      ask(getSearchOverview),
      this.measure('statistics', () => this.readApis()),
      this.settings.read(),
    ])
    const now = new Date()
    const note = (name: ServiceState['name'], { ms }: Part<unknown>) => this.watch.note(name, ms, now)
    const services = [
      note('gateway', ASKING),
      note('administration', apis),
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

  private async measure<Reply>(part: string, ask: () => Promise<Reply>): Promise<Part<Reply>> {
    const startedAt = performance.now()
    try {
      return { reply: await ask(), ms: Math.round(performance.now() - startedAt) }
    } catch (error) {
      const { code } = toAppError(error)
      if (code !== 'UNAVAILABLE' && code !== 'TIMEOUT')
        this.log.warn({ err: error, part }, 'part of the overview not read')
      return { reply: null, ms: null }
    }
  }

  private async readApis(): Promise<Apis> {
    const [counts, erp, b2b] = await Promise.all([
      this.apis.readLatest(DAY_MS),
      this.apis.lastCall('erp'),
      this.apis.lastCall('b2b'),
    ])
    const figures = ({ requests = 0, refused = 0, failed = 0 }, lastCall: Date | null) => ({
      last_call_at: lastCall?.toISOString() ?? null,
      requests,
      refused,
      failed,
    })
    return { erp: figures(counts.erp, erp), b2b: figures(counts.b2b, b2b) }
  }
}

type Apis = Record<ApiAudience, Pick<ApiFigures, 'last_call_at' | 'requests' | 'refused' | 'failed'>>

function apiFigures(audience: ApiAudience, settings: StoredSettings, apis: Apis | null): ApiFigures {
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

function withoutFailures({ active, failing }: ReplyOf<typeof getPricingOverview>['sources']): Shown['sources'] {
  return { active, failing: failing.map(({ failures: _, ...source }) => source) }
}

function withoutSince({ pictures_failed_since: _, ...figures }: ReplyOf<typeof getCatalogOverview>): Shown['catalog'] {
  return figures
}

function stockFigures({
  storage_references: _references,
  unreadable: _unreadable,
  ...figures
}: ReplyOf<typeof getStockOverview>): Shown['stock'] {
  return figures
}
