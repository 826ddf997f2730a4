import { setTimeout as sleep } from 'node:timers/promises'
import { Inject, Injectable } from '@nestjs/common'
import { pause, type Repetition, repeat } from '@partsbus/platform/async/repeat'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { BUS, LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { PausableWork } from '@partsbus/platform/process/pausable-work'
import { MEDIA_TIMES, type MediaTimes } from './config.js'
import { MediaNudges } from './media-nudges.js'
import { MediaSetStore } from './media-set-store.js'
import { MediaWorker } from './media-worker.js'

const CLAIMED_AT_ONCE = 50
const NO_ROOM_MS = 25
const RETRY_MS = 1_000
/** A loop that waits for an unreachable bus is abandoned after this. */
const STOP_MS = 3_000

/** Finds work for the {@link MediaWorker} of this process: sets that were nudged, and due sets that nobody claimed. */
@Injectable()
export class MediaWorkLoop {
  private loops: Repetition[] = []

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
    this.loops = [
      repeat((stop) => this.followNudges(stop), {
        everyMs: 0,
        failed: (error) => {
          this.log.warn({ err: error }, 'media nudges not received')
          return RETRY_MS
        },
      }),
      repeat((stop) => this.sweep(stop), {
        everyMs: this.times.sweepMs,
        isSpread: true,
        failed: (error) => this.log.warn({ err: error }, 'media sweep failed'),
      }),
    ]
  }

  async stop(): Promise<void> {
    const ended = Promise.all(this.loops.map((loop) => loop.stop()))
    await Promise.race([ended, sleep(STOP_MS, undefined, { ref: false })])
    await this.worker.stop()
  }

  private async followNudges(stop: AbortSignal): Promise<void> {
    if (!this.worker.hasRoom() || !this.bus.isUp() || this.work.isPaused) return pause(NO_ROOM_MS, stop)
    const nudge = await this.nudges.next().catch((error: unknown) => {
      if (!stop.aborted) throw error
    })
    // by the sweep after maintenance, or by another process
    if (stop.aborted || this.work.isPaused) nudge?.reject()
    else if (nudge)
      await this.worker.claim(nudge.setIds).then(nudge.acknowledge, (error: unknown) => {
        nudge.reject()
        throw error
      })
  }

  /** Claims retries, expired claims, and sets whose nudge was lost. */
  private async sweep(stop: AbortSignal): Promise<void> {
    const { graceMs } = this.times
    const findDue = async (): Promise<string[]> =>
      this.worker.hasRoom() && !this.work.isPaused && !stop.aborted
        ? this.sets.findDue(graceMs, CLAIMED_AT_ONCE, this.worker.fullHosts())
        : []
    for (let due = await findDue(); due.length > 0; due = await findDue()) await this.worker.claim(due)
  }
}
