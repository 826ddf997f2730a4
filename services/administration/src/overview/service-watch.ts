import type { ServiceState } from '@partsbus/contracts/administration/overview'

/** A service that takes longer is slow, in ms; the answer of the overview takes 300 ms at most. */
const SLOW_MS = 500

export interface WatchedService extends ServiceState {
  /** when this process first found it away; null: it is not */
  awaySince: Date | null
}

/** Remembers since when each service has been away. */
export class ServiceWatch {
  private readonly awaySince = new Map<string, Date>()

  /** @param ms until it answered; null: it did not */
  note(name: ServiceState['name'], ms: number | null, now: Date): WatchedService {
    if (ms === null) {
      const awaySince = this.awaySince.get(name) ?? now
      this.awaySince.set(name, awaySince)
      return { name, state: 'away', ms, awaySince }
    }
    this.awaySince.delete(name)
    return { name, state: ms >= SLOW_MS ? 'slow' : 'up', ms, awaySince: null }
  }
}
