import { setTimeout as sleep } from 'node:timers/promises'
import { Inject, Injectable } from '@nestjs/common'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { BUS, LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { PausableWork } from '@partsbus/platform/process/pausable-work'
import { MediaNudges } from './media-nudges.js'
import { MediaSetStore } from './media-set-store.js'
import { MEDIA_TIMES, type MediaTimes } from './media-times.js'
import { MediaWorker } from './media-worker.js'

const CLAIMED_AT_ONCE = 50
const NO_ROOM_MS = 25
const RETRY_MS = 1_000
/** A loop that waits for an unreachable bus is abandoned after this. */
const STOP_MS = 3_000

/** Finds work for the {@link MediaWorker} of this process: sets that were nudged, and due sets that nobody claimed. */
@Injectable()
export class MediaWorkLoop {
  private readonly stopping = new AbortController()
  private loops: Array<Promise<void>> = []

  constructor(
    private readonly worker: MediaWorker,
    private readonly nudges: MediaNudges,
    private readonly sets: MediaSetStore,
    private readonly work: PausableWork,
    @Inject(BUS) private readonly bus: BusConnection,
    @Inject(LOG) private readonly log: Log,
    @Inject(MEDIA_TIMES) private readonly times: MediaTimes,
  ) {}

  start(): void {
    this.loops = [this.followNudges(), this.sweep()]
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await Promise.race([Promise.allSettled(this.loops), sleep(STOP_MS, undefined, { ref: false })])
    await this.worker.stop()
  }

  private async followNudges(): Promise<void> {
    const stop = this.stopping.signal
    while (!stop.aborted) {
      if (!this.worker.hasRoom() || !this.bus.isUp() || this.work.isPaused) {
        await this.pause(NO_ROOM_MS)
        continue
      }
      try {
        const nudge = await this.nudges.next()
        // by the sweep after maintenance, or by another process
        if (stop.aborted || this.work.isPaused) nudge?.reject()
        else if (nudge)
          await this.worker.claim(nudge.setIds).then(nudge.acknowledge, (error: unknown) => {
            nudge.reject()
            throw error
          })
      } catch (error) {
        if (stop.aborted) return
        this.log.warn({ err: error }, 'media nudges not received')
        await this.pause(RETRY_MS)
      }
    }
  }

  /** Claims retries, expired claims, and sets whose nudge was lost. */
  private async sweep(): Promise<void> {
    const { graceMs, sweepMs } = this.times
    const findDue = async (): Promise<string[]> =>
      this.worker.hasRoom() && !this.work.isPaused && !this.stopping.signal.aborted
        ? this.sets.findDue(graceMs, CLAIMED_AT_ONCE, this.worker.fullHosts())
        : []
    while (!this.stopping.signal.aborted) {
      try {
        for (let due = await findDue(); due.length > 0; due = await findDue()) await this.worker.claim(due)
      } catch (error) {
        this.log.warn({ err: error }, 'media sweep failed')
      }
      // spread by a quarter each way, so that replicas do not sweep in step
      await this.pause(sweepMs * (0.75 + Math.random() / 2))
    }
  }

  private pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined)
  }
}
