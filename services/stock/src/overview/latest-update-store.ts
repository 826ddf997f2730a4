import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common'
import { LatestTime } from '@partsbus/platform/mongo/latest-time'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { Db } from 'mongodb'

/** When the latest stock update of the ERP arrived. */
@Injectable()
export class LatestUpdateStore extends LatestTime implements OnApplicationShutdown {
  constructor(db: Db, @Inject(LOG) log: Log) {
    super(db, 'erp_stock_update', log)
  }

  onApplicationShutdown(): Promise<void> {
    return this.stop()
  }
}
