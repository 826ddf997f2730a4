import { LRUCache } from 'lru-cache'

/** This many time-outs in a row mean that the host is down; a single one may be one slow image. */
const TIMEOUTS = 3
/** The ERP names the hosts, so there may be any number of them. */
const MAX_HOSTS = 10_000

/**
 * Hosts that could not be reached a moment ago, so that 2,000 images of a dead host cost a few connections, not 2,000
 * time-outs.
 */
export class DeadHosts {
  private readonly dead: LRUCache<string, string>
  private readonly timeouts = new LRUCache<string, number>({ max: MAX_HOSTS })

  constructor(rememberMs: number) {
    this.dead = new LRUCache({ max: MAX_HOSTS, ttl: rememberMs, ttlResolution: 0 })
  }

  /** @returns why the host counts as dead, or undefined */
  reason(host: string): string | undefined {
    return this.dead.get(host)
  }

  unreachable(host: string, reason: string): void {
    this.dead.set(host, reason)
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
