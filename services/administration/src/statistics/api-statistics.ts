import { Controller } from '@nestjs/common'
import { addApiStatistics, listApiStatistics } from '@partsbus/contracts/administration/commands'
import { stepMs } from '@partsbus/contracts/gateway/statistics-range'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import type { CountedTally } from '@partsbus/platform/statistics/tallies'
import { ApiStatisticsStore } from './api-statistics-store.js'

/** admin.md#statistics */
@Controller()
export class ApiStatistics {
  constructor(private readonly store: ApiStatisticsStore) {}

  @Handles(addApiStatistics)
  async addApiStatistics({ body }: CallOf<typeof addApiStatistics>) {
    await this.store.add(body.tallies as CountedTally[])
    const { erp, b2b } = body.last_calls
    if (erp !== undefined) await this.store.noteLastCall('erp', new Date(erp))
    if (b2b !== undefined) await this.store.noteLastCall('b2b', new Date(b2b))
    return {}
  }

  @Handles(listApiStatistics)
  async listApiStatistics({ body }: CallOf<typeof listApiStatistics>) {
    const { from, to, step } = body
    return {
      points: await this.store.readPoints({ from: new Date(from), to: new Date(to), stepMs: stepMs[step] }),
    }
  }
}
