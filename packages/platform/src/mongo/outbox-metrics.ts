import { Gauge, type Metrics, readForScrape } from '../process/metrics.js'
import type { OutboxStore } from './outbox-store.js'

/** Shows how long the oldest event of a service has waited to be published. */
export function measureOutbox({ registry }: Metrics, outbox: Pick<OutboxStore, 'oldestAgeMs'>): void {
  new Gauge({
    name: 'outbox_oldest_entry_age_seconds',
    help: 'Age of the oldest event that is not published yet, in seconds; 0 when there is none',
    registers: [registry],
    async collect() {
      try {
        this.set((await readForScrape(outbox.oldestAgeMs())) / 1_000)
      } catch {
        // the other metrics stay available while the database is away
        this.remove()
      }
    },
  })
}
