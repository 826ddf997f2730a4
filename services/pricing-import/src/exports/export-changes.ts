import { Controller } from '@nestjs/common'
import type { ReplyOf } from '@partsbus/contracts/message'
import { exportChanges as contract } from '@partsbus/contracts/pricing-import/commands'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { ChangePages } from '../changes/change-pages.js'
import { RowNames } from '../import-tasks/row-names.js'
import { PriceListStore } from '../price-lists/price-list-store.js'
import { changeRows } from './change-rows.js'
import { exportWords } from './export-words.js'
import { OpenExports } from './open-exports.js'

/** Their rows have two names, so half as many are a page of the longest offers. */
const PAGE_ROWS = 375
/** For the turn of a comparison that had to be made again, less than a chunk may take. */
const WAIT_MS = 10_000

@Controller()
export class ExportChanges {
  constructor(
    private readonly pages: ChangePages,
    private readonly lists: PriceListStore,
    private readonly rowNames: RowNames,
    private readonly exports: OpenExports,
  ) {}

  /**
   * All changes of a kind between two versions (admin.md#change-files).
   * @throws AppError NOT_FOUND, CONFLICT, OVERLOADED
   */
  @Handles(contract)
  async exportChanges(call: CallOf<typeof contract>): Promise<ReplyOf<typeof contract>> {
    const { id, format, kind, language } = call.body
    const words = exportWords(language)
    // before it takes a place among the exports
    const { older, newer } = await this.pages.find(call.body, call.timeLeft())
    const compared = { ...call.body, from: older.version, to: newer.version }
    return this.exports.start(format, call, async () => {
      const list = (await this.lists.find(id)) ?? { id, name: '' }
      return {
        fileName: words.changesFile(list, older, newer),
        // what is found is kept among all comparisons, so that open exports take no memory beside them
        rows: changeRows(
          async (position) => this.pages.read(await this.pages.find(compared, WAIT_MS), position, PAGE_ROWS, kind),
          words,
          {
            old: await this.rowNames.of(older.version, language),
            new: await this.rowNames.of(newer.version, language),
          },
        ),
        style: { decimalMark: words.decimalMark },
        sheet: words.changesSheet,
        hasHeading: true,
      }
    })
  }
}
