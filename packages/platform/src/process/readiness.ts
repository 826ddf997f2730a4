/** The conditions of readiness. */
export interface ReadinessChecks {
  isBusUp: () => boolean
  isDatabaseUp: () => Promise<boolean>
  /**
   * How long an outage of the database is tolerated, in ms. A process that answers its documented 503 meanwhile loses
   * nothing by staying ready: when an election makes all replicas unready, clients get the error page of the ingress.
   */
  databaseGraceMs: number
  now?: () => number
}

/** The readiness of a process: started, connected to the bus, and its database up or down for a short time only. */
export class Readiness {
  private readonly checks: ReadinessChecks
  private readonly now: () => number
  private isStarted = false
  private phase = 'starting or stopping'
  private databaseSeenAt = -Infinity

  constructor(checks: ReadinessChecks) {
    this.checks = checks
    this.now = checks.now ?? (() => performance.now())
  }

  /** @param phase why the process is not started */
  set(isStarted: boolean, phase = 'starting or stopping'): void {
    this.isStarted = isStarted
    this.phase = phase
  }

  /** @returns why the process is not ready, or undefined */
  async unreadyReason(): Promise<string | undefined> {
    if (!this.isStarted) return this.phase
    if (!this.checks.isBusUp()) return 'the bus is down'
    if (await this.checks.isDatabaseUp()) {
      this.databaseSeenAt = this.now()
      return undefined
    }
    return this.now() - this.databaseSeenAt < this.checks.databaseGraceMs ? undefined : 'the database is down'
  }
}
