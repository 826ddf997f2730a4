import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common'
import type { ApiPoint } from '@partsbus/contracts/administration/overview'
import { readLatestTime, writeLatestTime } from '@partsbus/platform/mongo/latest-time'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { quantile } from '@partsbus/platform/statistics/duration-histogram'
import { StatisticsStore, sumTallies } from '@partsbus/platform/statistics/statistics-store'
import type { Tallies } from '@partsbus/platform/statistics/tallies'
import { Db } from 'mongodb'

type Api = ApiPoint['api']
type ApiCount = 'requests' | 'refused' | 'failed'

/** The requests of the ERP API and the partner API, as the gateways counted them (admin.md#statistics). */
@Injectable()
export class ApiStatisticsStore implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  private readonly store: StatisticsStore<ApiCount>

  constructor(
    private readonly db: Db,
    @Inject(LOG) log: Log,
  ) {
    // the name that the collection was created with
    this.store = new StatisticsStore(db, 'door_statistics', log)
  }

  onModuleInit(): Promise<void> {
    return this.store.ensureIndexes()
  }

  /** Deletes old counts from time to time. */
  onApplicationBootstrap(): void {
    this.store.start()
  }

  onApplicationShutdown(): Promise<void> {
    return this.store.stop()
  }

  add(tallies: Tallies): Promise<void> {
    return this.store.add(tallies)
  }

  noteLastCall(api: Api, at: Date): Promise<void> {
    return writeLatestTime(this.db, `${api}_call`, at)
  }

  lastCall(api: Api): Promise<Date | null> {
    return readLatestTime(this.db, `${api}_call`)
  }

  /** The requests of the last `ms`. */
  async readLatest(ms: number): Promise<Record<Api, Partial<Record<ApiCount, number>>>> {
    const sums = sumTallies(await this.store.readLatest(ms), Number.MAX_SAFE_INTEGER)
    const counts = (api: Api) => sums.find(({ subject }) => subject === api)?.counts ?? {}
    return { erp: counts('erp'), b2b: counts('b2b') }
  }

  async readPoints(period: { from: Date; to: Date; stepMs: number }): Promise<ApiPoint[]> {
    return sumTallies(await this.store.read(period), period.stepMs).map(({ subject, at, counts, ms }) => ({
      at: at.toISOString(),
      api: subject as Api,
      requests: counts.requests ?? 0,
      refused: counts.refused ?? 0,
      failed: counts.failed ?? 0,
      p95_ms: quantile(ms, 0.95),
    }))
  }
}
