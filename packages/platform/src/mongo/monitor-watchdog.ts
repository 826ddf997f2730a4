import type { MongoClient } from 'mongodb'
import type { Log } from '../process/log.js'

const CHECK_EVERY_MS = 500
/** While the database is down, a working monitor tries to reach it at least this often. */
const STALLED_AFTER_MS = 3_000

type Client = Pick<MongoClient, 'on' | 'close' | 'connect'>

/*
 * The driver's monitor may stop for good when a database is killed: the reply to its last check is never settled, no
 * other check starts, and the database counts as down for ever (mongodb 7.8.0, about one kill in ten under load). The
 * watchdog makes the client connect again when the database is down and the monitor has been silent.
 * watching → reconnecting → watching
 */
export class MonitorWatchdog {
  private readonly client: Client
  private readonly isDown: () => boolean
  private readonly log: Log
  private readonly now: () => number
  private readonly timer: NodeJS.Timeout
  private lastActivity: number
  private reconnecting: Promise<void> | undefined
  private isStopped = false

  constructor(client: Client, isDown: () => boolean, log: Log, now: () => number = () => performance.now()) {
    this.client = client
    this.isDown = isDown
    this.log = log
    this.now = now
    this.lastActivity = now()
    const recordActivity = (): void => {
      this.lastActivity = this.now()
    }
    client.on('serverHeartbeatStarted', recordActivity)
    client.on('serverHeartbeatSucceeded', recordActivity)
    client.on('serverHeartbeatFailed', recordActivity)
    this.timer = setInterval(() => void this.check(), CHECK_EVERY_MS).unref()
  }

  async check(): Promise<void> {
    if (this.reconnecting || !this.isDown() || this.now() - this.lastActivity < STALLED_AFTER_MS) return
    this.log.warn('database monitor stalled, connecting again')
    this.reconnecting = this.reconnect()
    await this.reconnecting
    this.reconnecting = undefined
  }

  /** Resolves when the client connects no more, so that it stays closed when it is closed then. */
  async stop(): Promise<void> {
    this.isStopped = true
    clearInterval(this.timer)
    await this.reconnecting
  }

  private async reconnect(): Promise<void> {
    try {
      await this.client.close()
      if (!this.isStopped) await this.client.connect()
    } catch (error) {
      this.log.warn({ err: error }, 'database not reached')
    }
    this.lastActivity = this.now()
  }
}
