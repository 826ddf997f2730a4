import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { StatisticsStore, type Tally } from '@partsbus/platform/statistics/statistics-store'
import { Db } from 'mongodb'
import type { QueriedStorage, NotedAnswer } from '../search/storage-answer.js'
import { SupplierStateStore } from './supplier-state-store.js'

export type SupplierCount = 'ok' | 'timeout' | 'error' | 'cut_off' | 'cached'

/** Counts what each storage answered. Counting is in memory; the figures are written every 10 s. */
@Injectable()
export class SupplierStatisticsStore implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  private readonly store: StatisticsStore<SupplierCount>

  constructor(
    db: Db,
    private readonly states: SupplierStateStore,
    @Inject(LOG) log: Log,
  ) {
    this.store = new StatisticsStore(db, 'supplier_statistics', log)
  }

  onModuleInit(): Promise<void> {
    return this.store.ensureIndexes()
  }

  onApplicationBootstrap(): void {
    this.store.start()
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.store.stop(), this.states.stop()])
  }

  count(storage: QueriedStorage, answer: NotedAnswer<unknown>): void {
    const { outcome, isCached, isCutOff, ms } = answer
    const isOk = outcome === 'ok' || outcome === 'partial'
    const counts: SupplierCount[] = isOk ? (isCached ? ['ok', 'cached'] : ['ok']) : [isCutOff ? 'cut_off' : outcome]
    this.store.count(String(storage.id), counts, isCached || isCutOff || storage.supplier === null ? undefined : ms)
    this.states.note(storage, answer)
  }

  /** The counts of the last `ms`, those of this process included. */
  async readLatest(ms: number): Promise<Tally<SupplierCount>[]> {
    await this.store.flush()
    return this.store.readLatest(ms)
  }

  async read(period: { from: Date; to: Date; storageId?: number | undefined }): Promise<Tally<SupplierCount>[]> {
    const { from, to, storageId } = period
    await this.store.flush()
    return this.store.read({ from, to, subject: storageId === undefined ? undefined : String(storageId) })
  }
}

/** Queries of which a storage was part. */
export function countAsked({ ok = 0, timeout = 0, error = 0, cut_off = 0 }: Tally<SupplierCount>['counts']): number {
  return ok + timeout + error + cut_off
}
