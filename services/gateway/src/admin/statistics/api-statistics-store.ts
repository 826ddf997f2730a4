import type { ApiPoint } from '@partsbus/contracts/gateway/overview'
import { LatestTime } from '@partsbus/platform/mongo/latest-time'
import type { Log } from '@partsbus/platform/process/log'
import { quantile } from '@partsbus/platform/statistics/duration-histogram'
import { StatisticsStore, sumTallies } from '@partsbus/platform/statistics/statistics-store'
import type { FastifyInstance } from 'fastify'
import type { Db } from 'mongodb'
import { onRequestEnd } from '../../http/request-end.js'
import type { ApiAudience } from '../../settings/access-token.js'

type ApiCount = 'requests' | 'refused' | 'failed'

const apis: readonly ApiAudience[] = ['erp', 'b2b']

/**
 * The requests of the ERP API and the partner API (admin.md#statistics). Counting one is an increment in memory; the
 * counts are written every 10 s.
 */
export class ApiStatisticsStore {
  private readonly store: StatisticsStore<ApiCount>
  private readonly lastCalls: Record<ApiAudience, LatestTime>

  constructor(db: Db, log: Log) {
    // the name that the collection was created with
    this.store = new StatisticsStore(db, 'door_statistics', log)
    this.lastCalls = { erp: new LatestTime(db, 'erp_call', log), b2b: new LatestTime(db, 'b2b_call', log) }
  }

  /** Counts every response of an API, the refusals of its authentication included. */
  countRequests(routes: FastifyInstance, api: ApiAudience): void {
    onRequestEnd(routes, (request, reply) => {
      this.count(api, { status: reply.statusCode, ms: reply.elapsedTime, isOff: request.errorCode === 'DISABLED' })
      // settings are set once a request is authenticated
      if (request.settings !== undefined) this.lastCalls[api].note()
    })
  }

  start(): void {
    this.store.start()
  }

  async stop(): Promise<void> {
    await Promise.all([this.store.stop(), ...apis.map((api) => this.lastCalls[api].stop())])
  }

  /** The requests of the last `ms`, those of this process included. @throws while the database is down */
  async readLatest(ms: number): Promise<Record<ApiAudience, Partial<Record<ApiCount, number>>>> {
    await this.store.flush()
    const sums = sumTallies(await this.store.readLatest(ms), Number.MAX_SAFE_INTEGER)
    const counts = (api: ApiAudience) => sums.find(({ subject }) => subject === api)?.counts ?? {}
    return { erp: counts('erp'), b2b: counts('b2b') }
  }

  lastCall(api: ApiAudience): Promise<Date | null> {
    return this.lastCalls[api].read()
  }

  async readPoints(period: { from: Date; to: Date; stepMs: number }): Promise<ApiPoint[]> {
    await this.store.flush()
    return sumTallies(await this.store.read(period), period.stepMs).map(({ subject, at, counts, ms }) => ({
      at: at.toISOString(),
      api: subject as ApiAudience,
      requests: counts.requests ?? 0,
      refused: counts.refused ?? 0,
      failed: counts.failed ?? 0,
      p95_ms: quantile(ms, 0.95),
    }))
  }

  private count(api: ApiAudience, { status, ms, isOff }: { status: number; ms: number; isOff: boolean }): void {
    const isRefused = isOff || (status >= 400 && status < 500)
    this.store.count(
      api,
      isRefused ? ['requests', 'refused'] : status >= 500 ? ['requests', 'failed'] : ['requests'],
      ms,
    )
  }
}
