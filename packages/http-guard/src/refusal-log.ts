import { addressKey } from '@partsbus/platform/net/address-key'
import { LRUCache } from 'lru-cache'

/** Lines about refused requests without a credential in a minute, of one address and of all. */
export const REFUSAL_LINES = { ofOne: 20, aMinute: 600, addresses: 10_000 }
const MINUTE_MS = 60_000

interface Log {
  info(fields: object, message: string): void
}

/** Bounds what requests without a credential write into the log (rules.md#overload); the others are counted. */
export class RefusalLog {
  private readonly log: Log
  private readonly counts = new LRUCache<string, number>({ max: REFUSAL_LINES.addresses })
  private openedAt = -Infinity
  private lines = 0
  private left = 0
  private timer: NodeJS.Timeout | undefined

  constructor(log: Log) {
    this.log = log
  }

  /** @returns whether this refusal is to be written */
  admits(address: string | undefined, now = performance.now()): boolean {
    if (now - this.openedAt >= MINUTE_MS) this.open(now)
    const key = addressKey(address)
    const own = this.counts.get(key) ?? 0
    if (own < REFUSAL_LINES.ofOne && this.lines < REFUSAL_LINES.aMinute) {
      this.counts.set(key, own + 1)
      this.lines += 1
      return true
    }
    this.left += 1
    this.timer ??= setTimeout(() => this.report(), MINUTE_MS).unref()
    return false
  }

  private open(now: number): void {
    this.openedAt = now
    this.lines = 0
    this.counts.clear()
  }

  private report(): void {
    this.timer = undefined
    this.log.info({ requests: this.left }, 'refused requests not logged')
    this.left = 0
  }
}
