import { Inject, Injectable, type OnModuleInit } from '@nestjs/common'
import { LATEST_BACKUP } from '@partsbus/contracts/administration/latest-times'
import { readLatestTime } from '@partsbus/platform/mongo/latest-time'
import { METRICS } from '@partsbus/platform/process/injection-tokens'
import { Gauge, type Metrics, readForScrape } from '@partsbus/platform/process/metrics'
import { Db } from 'mongodb'

/** Shows the moment of the newest backup, which the command line writes (docs/decisions/0039-age-of-backups.md). */
@Injectable()
export class LatestBackupStore implements OnModuleInit {
  constructor(
    private readonly db: Db,
    @Inject(METRICS) private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const { db } = this
    new Gauge({
      name: 'backup_latest_timestamp_seconds',
      help: 'Moment of the newest backup by partsbus backup, in seconds since 1970; absent while there is none',
      registers: [this.metrics.registry],
      async collect() {
        // the other metrics stay available while the database is down
        const latest = await readForScrape(readLatestTime(db, LATEST_BACKUP)).catch(() => null)
        if (latest) this.set(latest.getTime() / 1_000)
        else this.remove()
      },
    })
  }
}
