import { Controller } from '@nestjs/common'
import type { ReplyOf } from '@partsbus/contracts/message'
import { exportOffers as contract } from '@partsbus/contracts/pricing-import/commands'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { RowNames } from '../import-tasks/row-names.js'
import { type OfferPage, OfferPages } from '../offers/offer-pages.js'
import { PriceListStore } from '../price-lists/price-list-store.js'
import { exportWords } from './export-words.js'
import { offerRows, type ReadOffers } from './offer-rows.js'
import { OpenExports } from './open-exports.js'

/** Even the longest offers of a page are no more than a page of the longest skipped rows. */
const PAGE_ROWS = 750

const namedVersion = ({ version, version_number }: OfferPage) =>
  version === null ? null : { version, number: version_number ?? version }

@Controller()
export class ExportOffers {
  constructor(
    private readonly pages: OfferPages,
    private readonly lists: PriceListStore,
    private readonly rowNames: RowNames,
    private readonly exports: OpenExports,
  ) {}

  /**
   * All offers of one version, also when another one goes live meanwhile (admin.md#offer-files).
   * @throws AppError NOT_FOUND, OVERLOADED
   */
  @Handles(contract)
  exportOffers(call: CallOf<typeof contract>): Promise<ReplyOf<typeof contract>> {
    const { format, language, ...filter } = call.body
    const words = exportWords(language)
    const wanted = { ...filter, page: 1, per_page: PAGE_ROWS }
    const { id } = filter
    const read: ReadOffers = (from) => this.pages.readRows({ ...wanted, ...from })
    return this.exports.start(format, call, async () => {
      const list = await this.lists.find(id)
      const first = await this.pages.read(wanted)
      return {
        fileName: words.offersFile(list ?? { id, name: '' }, namedVersion(first)),
        rows: offerRows(read, first, words.offerColumns, await this.rowNames.of(first.version, language)),
        style: { decimalMark: words.decimalMark },
        sheet: words.offersSheet,
        hasHeading: true,
      }
    })
  }
}
