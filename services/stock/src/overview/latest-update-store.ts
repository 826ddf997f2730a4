import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common'
import { LatestTime } from '@partsbus/platform/mongo/latest-time'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { Db } from 'mongodb'

/** When the latest stock update of the ERP arrived. */
@Injectable()
export class LatestUpdateStore extends LatestTime implements OnModuleDestroy {
  constructor(db: Db, @Inject(LOG) log: Log) {
    super(db, 'erp_stock_update', log)
  }

  onModuleDestroy(): Promise<void> {
    return this.stop()
  }
}
