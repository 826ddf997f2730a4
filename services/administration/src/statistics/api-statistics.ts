import { Controller } from '@nestjs/common'
import { addApiStatistics, listApiStatistics } from '@partsbus/contracts/administration/commands'
import { stepMs } from '@partsbus/contracts/administration/statistics-range'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import type { Tallies } from '@partsbus/platform/statistics/tallies'
import { ApiStatisticsStore } from './api-statistics-store.js'

/** admin.md#statistics */
@Controller()
export class ApiStatistics {
  constructor(private readonly store: ApiStatisticsStore) {}

  @Handles(addApiStatistics)
  async addApiStatistics({ body }: CallOf<typeof addApiStatistics>) {
    const { tallies, last_calls } = body
    await this.store.add(new Map(tallies.map(({ subject, ...tally }) => [subject, tally])) as Tallies)
    const { erp, b2b } = last_calls
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
