import { Controller } from '@nestjs/common'
import { stepMs } from '@partsbus/contracts/administration/statistics-range'
import type { ReplyOf } from '@partsbus/contracts/message'
import * as contract from '@partsbus/contracts/supplier-search/overview'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { quantile } from '@partsbus/platform/statistics/duration-histogram'
import { sumTallies, type Tally } from '@partsbus/platform/statistics/statistics-store'
import { type Locale, translateReason } from '../texts/translate-reason.js'
import { type SupplierState, SupplierStateStore } from './supplier-state-store.js'
import { countAsked, type SupplierCount, SupplierStatisticsStore } from './supplier-statistics-store.js'

type Figures = ReplyOf<typeof contract.getSearchOverview>['suppliers'][number]

const WINDOW_MS = 15 * 60_000
/** A circuit breaker is open for 30 s, and each process has one of its own. */
const CUT_OFF_MS = 60_000
/** Half the time that a storage has unless it has a limit of its own. */
const SLOW_MS = 2_000

/** admin.md#overview, admin.md#statistics */
@Controller()
export class Overview {
  constructor(
    private readonly statistics: SupplierStatisticsStore,
    private readonly states: SupplierStateStore,
  ) {}

  @Handles(contract.getSearchOverview)
  async getSearchOverview({
    settings,
  }: Pick<CallOf<typeof contract.getSearchOverview>, 'settings'>): Promise<ReplyOf<typeof contract.getSearchOverview>> {
    const locale = settings.admin_locale
    const [states, tallies] = await Promise.all([this.states.list(), this.statistics.readLatest(WINDOW_MS)])
    const sums = new Map(sumTallies(tallies, Number.MAX_SAFE_INTEGER).map((tally) => [tally.subject, tally]))
    return { suppliers: states.map((state) => supplierFigures(state, sums.get(String(state._id)), locale)) }
  }

  @Handles(contract.getSupplierStatistics)
  async getSupplierStatistics({
    body: { from, to, step, storage_id },
  }: Pick<CallOf<typeof contract.getSupplierStatistics>, 'body'>): Promise<
    ReplyOf<typeof contract.getSupplierStatistics>
  > {
    const period = { from: new Date(from), to: new Date(to), storageId: storage_id }
    const tallies = sumTallies(await this.statistics.read(period), stepMs[step])
    return {
      points: tallies.map(({ subject, at, counts, ms }) => {
        const { ok = 0, timeout = 0, error = 0, cut_off = 0, cached = 0 } = counts
        return {
          at: at.toISOString(),
          storage_id: Number(subject),
          asked: countAsked(counts),
          ok,
          timeout,
          error,
          cut_off,
          cached,
          p50_ms: quantile(ms, 0.5),
          p95_ms: quantile(ms, 0.95),
        }
      }),
    }
  }
}

function supplierFigures(state: SupplierState, tally: Tally<SupplierCount> | undefined, locale: Locale): Figures {
  const { _id, name, kind, last_error = null, last_ok_at = null, failing_since = null } = state
  const asked = countAsked(tally?.counts ?? {})
  const p95_ms = quantile(tally?.ms ?? {}, 0.95)
  return {
    storage_id: _id,
    name,
    kind,
    state: supplierState(state, { asked, p95_ms }),
    asked,
    failed: asked - (tally?.counts.ok ?? 0),
    p95_ms,
    last_error: translateReason(last_error, locale),
    last_ok_at: last_ok_at?.toISOString() ?? null,
    failing_since: failing_since?.toISOString() ?? null,
  }
}

function supplierState(
  { failing_since, cut_off_at }: SupplierState,
  { asked, p95_ms }: { asked: number; p95_ms: number | null },
): Figures['state'] {
  if (asked === 0) return 'quiet'
  const isFailing = failing_since !== undefined && failing_since !== null
  if (isFailing && cut_off_at && Date.now() - cut_off_at.getTime() < CUT_OFF_MS) return 'cut-off'
  if (isFailing) return 'failing'
  return p95_ms !== null && p95_ms >= SLOW_MS ? 'slow' : 'ok'
}
