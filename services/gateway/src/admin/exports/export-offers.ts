import { listOffers } from '@partsbus/contracts/pricing-import/commands'
import type { GatewayContext } from '../../context.js'
import { offerRows, type ReadOffers } from './offer-rows.js'
import { type ExportCapacity, type ExportFormat, exportHandler } from './send-export.js'

/** As many as fit into a message however long they are, so that the service need not measure them. */
const PAGE_ROWS = 900

/**
 * `GET /price-lists/:id/offers.csv` and `.xlsx` (admin.md#offer-files): all of one version, also when another one goes
 * live meanwhile.
 */
export function exportOffers(ctx: GatewayContext, capacity: ExportCapacity, format: ExportFormat) {
  return exportHandler(ctx, capacity, `GET /price-lists/:id/offers.${format}`, async (request) => {
    const { id, filter, calls, options } = request
    const read: ReadOffers = (from) =>
      calls.request(listOffers, { id, page: 1, per_page: PAGE_ROWS, ...filter, ...from }, options)
    const first = await read()
    const isAll = filter.article === undefined && filter.brand === undefined
    return {
      fileName: first.version === null ? `offers-${id}` : `offers-${id}-v${first.version}`,
      rows: offerRows(read, first, isAll),
      sheet: 'Offers',
      hasHeading: true,
    }
  })
}
