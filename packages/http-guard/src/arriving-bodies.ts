import type { IncomingMessage } from 'node:http'
import { AppError, texts } from '@partsbus/contracts/app-error'
import { addressKey } from '@partsbus/platform/net/address-key'

interface ArrivalLimits {
  /** bodies that arrive at once, of all clients and of one address */
  atOnce: number
  ofOne: number
  withinMs: number
}

interface Arriving {
  raw: IncomingMessage
  abort: AbortController
}

/**
 * Small bodies of clients without a credential, while they arrive (rules.md#overload). Beyond a limit the one that has
 * been arriving for longest gives way, of the same address if that has its share, else of the address with most: silent
 * connections cannot keep out a client that sends its body. One that has arrived is about to leave, and stays.
 */
export class ArrivingBodies {
  private readonly limits: ArrivalLimits
  /** by address, oldest first */
  private readonly arriving = new Map<string, Set<Arriving>>()
  private count = 0

  constructor(limits: ArrivalLimits) {
    this.limits = limits
  }

  /**
   * @param read rejects with the reason of the signal
   * @throws AppError OVERLOADED when it gave way, TOO_SLOW when it did not arrive in time
   */
  async receive(
    { raw, address }: { raw: IncomingMessage; address: string | undefined },
    read: (signal: AbortSignal) => Promise<Uint8Array>,
  ): Promise<Uint8Array> {
    const key = addressKey(address)
    if ((this.arriving.get(key)?.size ?? 0) >= this.limits.ofOne) this.dropOldest(key)
    else if (this.count >= this.limits.atOnce) this.dropOldest(this.largest())
    const body = { raw, abort: new AbortController() }
    const timer = setTimeout(
      () => body.abort.abort(new AppError('TOO_SLOW', 'The request did not arrive in time.')),
      this.limits.withinMs,
    )
    this.arriving.set(key, (this.arriving.get(key) ?? new Set()).add(body))
    this.count += 1
    try {
      return await read(body.abort.signal)
    } finally {
      clearTimeout(timer)
      this.remove(key, body)
    }
  }

  private largest(): string {
    let most = 0
    let found = ''
    for (const [key, bodies] of this.arriving) {
      if (bodies.size <= most) continue
      most = bodies.size
      found = key
    }
    return found
  }

  private dropOldest(key: string): void {
    const oldest = [...(this.arriving.get(key) ?? [])].find(({ raw }) => !raw.complete)
    if (!oldest) return
    this.remove(key, oldest)
    oldest.abort.abort(new AppError('OVERLOADED', texts.unavailable))
  }

  private remove(key: string, body: Arriving): void {
    const bodies = this.arriving.get(key)
    if (!bodies?.delete(body)) return
    this.count -= 1
    if (bodies.size === 0) this.arriving.delete(key)
  }
}
