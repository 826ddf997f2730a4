import { LATEST_BACKUP } from '@partsbus/contracts/gateway/latest-times'
import { readLatestTime } from '@partsbus/platform/mongo/latest-time'
import { Gauge, type Metrics, readForScrape } from '@partsbus/platform/process/metrics'
import type { Runtime } from '@partsbus/platform/process/runtime'

/** Shows the moment of the newest backup (docs/decisions/0039-age-of-backups.md). */
export function measureBackups({ registry }: Metrics, { db }: Pick<Runtime['mongo'], 'db'>): void {
  new Gauge({
    name: 'backup_latest_timestamp_seconds',
    help: 'Moment of the newest backup by partsbus backup, in seconds since 1970; absent while there is none',
    registers: [registry],
    async collect() {
      // the other metrics stay available while the database is down
      const latest = await readForScrape(readLatestTime(db, LATEST_BACKUP)).catch(() => null)
      if (latest) this.set(latest.getTime() / 1_000)
      else this.remove()
    },
  })
}
