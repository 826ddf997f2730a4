/** The conditions of readiness. */
export interface ReadinessChecks {
  isBusUp: () => boolean
  /** what nearly every request needs: the process's database, or a service */
  dependency: {
    /** in the reason, after `the` */
    name: string
    isUp: () => boolean | Promise<boolean>
    /**
     * How long an outage is tolerated, in ms. A process that answers its documented 503 meanwhile loses nothing by
     * staying ready: when an outage makes all replicas unready, clients get the error page of the ingress.
     */
    graceMs?: number
  }
  now?: () => number
}

/** The readiness of a process: started, connected to the bus, and its dependency up or down for a short time only. */
export class Readiness {
  private readonly checks: ReadinessChecks
  private readonly now: () => number
  private isStarted = false
  private phase = 'starting or stopping'
  private seenAt = -Infinity

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
    const { name, isUp, graceMs = 0 } = this.checks.dependency
    if (await isUp()) {
      this.seenAt = this.now()
      return undefined
    }
    return this.now() - this.seenAt < graceMs ? undefined : `the ${name} is down`
  }
}
