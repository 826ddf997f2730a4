/** So many time-outs in a row mean that the host is not there; one alone may be one slow picture. */
const TIMEOUTS = 3

/**
 * Hosts that could not be reached a moment ago. 2,000 pictures of a dead host cost a few connections, not 2,000 time-outs.
 */
export class DeadHosts {
  private readonly rememberMs: number
  private readonly dead = new Map<string, { reason: string; until: number }>()
  private readonly timeouts = new Map<string, number>()

  constructor(rememberMs: number) {
    this.rememberMs = rememberMs
  }

  /** @returns why the host counts as dead, or undefined */
  reason(host: string): string | undefined {
    const entry = this.dead.get(host)
    if (!entry) return undefined
    if (entry.until > performance.now()) return entry.reason
    this.dead.delete(host)
    return undefined
  }

  unreachable(host: string, reason: string): void {
    this.dead.set(host, { reason, until: performance.now() + this.rememberMs })
    this.timeouts.delete(host)
  }

  timedOut(host: string, reason: string): void {
    const count = (this.timeouts.get(host) ?? 0) + 1
    this.timeouts.set(host, count)
    if (count >= TIMEOUTS) this.unreachable(host, reason)
  }

  answered(host: string): void {
    this.timeouts.delete(host)
  }
}
