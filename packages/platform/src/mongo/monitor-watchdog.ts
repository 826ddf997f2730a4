import type { MongoClient } from 'mongodb'
import type { Log } from '../process/log.js'

const CHECK_EVERY_MS = 500
/** While the database is down, the monitor of one of its servers is heard at least this often. */
const STALLED_AFTER_MS = 3_000
/** Each monitor is heard at least this often; a server that does not answer takes it `connectTimeoutMS`. */
const SERVER_STALLED_AFTER_MS = 8_000

type Client = Pick<MongoClient, 'on' | 'close' | 'connect'>

/*
 * The driver's monitor may stop for good when a database is killed: the reply to its last check is never settled, no
 * other check starts, and the database counts as down for ever (mongodb 7.8.0, about one kill in ten under load). The
 * watchdog makes the client connect again when the database is down and the monitor has been silent. In a replica set
 * the monitors of the other members go on, and no primary is found although there is one.
 * watching → reconnecting → watching
 */
export class MonitorWatchdog {
  private readonly client: Client
  private readonly isDown: () => boolean
  private readonly log: Log
  private readonly now: () => number
  private readonly timer: NodeJS.Timeout
  private lastActivity: number
  /** of each server, by address */
  private readonly lastActivities = new Map<string, number>()
  private reconnecting: Promise<void> | undefined
  private isStopped = false

  constructor(client: Client, isDown: () => boolean, log: Log, now: () => number = () => performance.now()) {
    this.client = client
    this.isDown = isDown
    this.log = log
    this.now = now
    this.lastActivity = now()
    const recordActivity = ({ connectionId }: { connectionId: string }): void => {
      this.lastActivity = this.now()
      this.lastActivities.set(connectionId, this.lastActivity)
    }
    client.on('serverHeartbeatStarted', recordActivity)
    client.on('serverHeartbeatSucceeded', recordActivity)
    client.on('serverHeartbeatFailed', recordActivity)
    client.on('serverClosed', ({ address }) => this.lastActivities.delete(address))
    this.timer = setInterval(() => void this.check(), CHECK_EVERY_MS).unref()
  }

  async check(): Promise<void> {
    if (this.reconnecting || !this.isDown() || !this.isStalled()) return
    this.log.warn('database monitor stalled, connecting again')
    this.reconnecting = this.reconnect()
    await this.reconnecting
    this.reconnecting = undefined
  }

  private isStalled(): boolean {
    const now = this.now()
    const isSilent = (at: number) => now - at >= SERVER_STALLED_AFTER_MS
    return now - this.lastActivity >= STALLED_AFTER_MS || [...this.lastActivities.values()].some(isSilent)
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
    this.lastActivities.clear()
  }
}
