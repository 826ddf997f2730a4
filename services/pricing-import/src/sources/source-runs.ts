import { randomUUID } from 'node:crypto'
import { Inject, Injectable } from '@nestjs/common'
import { AppError } from '@partsbus/contracts/app-error'
import { currentSettings } from '@partsbus/contracts/administration/settings-commands'
import type { CallSettings } from '@partsbus/contracts/administration/settings'
import { type Repetition, repeat } from '@partsbus/platform/async/repeat'
import { currentScope, runInScope } from '@partsbus/platform/bus/call-scope'
import { BusClient } from '@partsbus/platform/bus/client'
import { LeaseStore } from '@partsbus/platform/mongo/lease-store'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { PausableWork } from '@partsbus/platform/process/pausable-work'
import { traceStep } from '@partsbus/platform/process/spans'
import { PriceListStore } from '../price-lists/price-list-store.js'
import { isDue, lastRunAt } from './due-source.js'
import { ImportSource } from './import-source.js'
import { SourceSlots } from './source-slots.js'
import type { RunResult, SourceRun } from './source-run.js'

const CHECK_INTERVAL_MS = 15_000
/** The lease of a process that died expires after this time; the next check then records its run as failed. */
const LEASE_MS = 30_000
const STOP_MS = 5_000

const busy: RunResult = { outcome: 'unchanged', message: 'The source is being fetched already.', task_id: null }

/**
 * Runs the sources of all lists when they are due. A lease ensures that each source runs in one process at a time.
 * Idle → checking (every 15 s) → running the due sources, a few at a time → idle. Stopping aborts the runs, whose
 * sources stay due.
 */
@Injectable()
export class SourceRuns {
  private readonly running = new Set<Promise<unknown>>()
  private readonly stopping = new AbortController()
  private checks: Repetition | undefined

  constructor(
    private readonly lists: PriceListStore,
    private readonly leases: LeaseStore,
    private readonly importSource: ImportSource,
    private readonly slots: SourceSlots,
    private readonly calls: BusClient,
    private readonly pausable: PausableWork,
    @Inject(LOG) private readonly log: Log,
  ) {}

  start(): void {
    this.checks = repeat(() => this.runDue(), {
      everyMs: CHECK_INTERVAL_MS,
      firstMs: CHECK_INTERVAL_MS,
      failed: (error) => this.log.warn({ err: error }, 'scheduled sources not read'),
    })
  }

  async stop(): Promise<void> {
    void this.checks?.stop()
    this.stopping.abort()
    await Promise.race([Promise.allSettled(this.running), new Promise((done) => setTimeout(done, STOP_MS).unref())])
  }

  /** Runs a source as soon as there is a place, unless it runs already. @throws AppError OVERLOADED */
  async run(listId: number, sourceId: number, settings: CallSettings): Promise<RunResult> {
    const { signal } = this.stopping
    const end = this.pausable.count('source')
    try {
      return await this.slots.runRequested(signal, () =>
        this.begin({ listId, sourceId, settings, isScheduled: false, stop: signal }),
      )
    } finally {
      end()
    }
  }

  /** Starts the due sources, those that have waited longest first. */
  async runDue(): Promise<void> {
    if (this.pausable.isPaused) return
    const now = (await this.lists.now()).getTime()
    const due = (await this.lists.withSources())
      .flatMap((list) =>
        list.is_active
          ? list.sources.filter((source) => isDue(source, now)).map((source) => ({ listId: list.id, source }))
          : [],
      )
      .sort((one, other) => lastRunAt(one.source) - lastRunAt(other.source))
    if (due.length === 0) return
    const settings = await this.calls.request(currentSettings, {})
    const { signal } = this.stopping
    for (const { listId, source } of due) {
      if (this.pausable.isPaused) return
      const run = { listId, sourceId: source.id, settings, isScheduled: true, stop: signal }
      const work = this.slots.runScheduled(signal, () => this.pausable.run('source', () => this.begin(run)))
      if (!work) return
      work.catch((error: unknown) =>
        this.log.warn({ err: error, list: listId, source: source.id }, 'source not fetched'),
      )
    }
  }

  private begin(run: SourceRun): Promise<RunResult> {
    // a scheduled run has no request, so it gets an id of its own for the log
    const scope = currentScope() ?? { requestId: randomUUID() }
    const work = runInScope(scope, () => traceStep('source.run', () => this.importAlone(run)))
      .catch((error: unknown): RunResult => {
        if (error instanceof AppError && error.code === 'OVERLOADED') return busy
        throw error
      })
      .finally(() => {
        this.running.delete(work)
      })
    this.running.add(work)
    return work
  }

  private importAlone(run: SourceRun): Promise<RunResult> {
    return this.leases.withLease(
      `source:${run.listId}:${run.sourceId}`,
      { leaseMs: LEASE_MS, waitMs: 0, isRenewed: true },
      () => this.importSource.importSource(run),
    )
  }
}
