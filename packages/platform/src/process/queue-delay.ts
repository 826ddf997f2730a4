import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'

/** Of the timer that measures the event loop, in ms. */
const RESOLUTION_MS = 10
/** Of the waits for a connection since the last reading; more say nothing more. */
const MAX_WAITS = 1_000

/** Delays before work begins, in ms, as medians since they were last read. */
export interface QueueDelays {
  /** until the event loop turns to a message that has arrived */
  eventLoop: number
  /** until a connection to the database is free */
  connection: number
}

/** Measures how long work queues in this process. */
export class QueueDelayMonitor {
  private readonly eventLoop: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  private waits: number[] = []

  constructor() {
    this.eventLoop.enable()
  }

  recordWait(ms: number): void {
    if (this.waits.length < MAX_WAITS) this.waits.push(ms)
  }

  /** Reads the delays and starts over. */
  read(): QueueDelays {
    const nanoseconds = this.eventLoop.percentile(50)
    const waits = this.waits.sort((one, other) => one - other)
    this.eventLoop.reset()
    this.waits = []
    return {
      eventLoop: Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS),
      connection: waits[waits.length >> 1] ?? 0,
    }
  }

  stop(): void {
    this.eventLoop.disable()
  }
}
