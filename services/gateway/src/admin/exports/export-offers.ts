import { adminOperations } from '@partsbus/contracts/admin/operations'
import { listOffers } from '@partsbus/contracts/pricing-import/commands'
import type { FastifyRequest } from 'fastify'
import { requestSettings } from '../../auth/request-settings.js'
import type { GatewayContext } from '../../context.js'
import { withRequestScope } from '../../http/request-calls.js'
import { callOptions } from '../admin-context.js'
import { check, readId, readQuery } from '../resources/read-request.js'
import { offerRows, type ReadOffers } from './offer-rows.js'
import { type ExportCapacity, exportHandler, type ExportFormat } from './send-export.js'

/** As many as fit into a message however long they are, so that the service need not measure them. */
const PAGE_ROWS = 900

/**
 * `GET /price-lists/:id/offers.csv` and `.xlsx` (admin.md#offer-files): all of one version, also when another one goes
 * live meanwhile.
 */
export function exportOffers(ctx: GatewayContext, capacity: ExportCapacity, format: ExportFormat) {
  const { query: schema } = adminOperations[`GET /price-lists/:id/offers.${format}`]
  return exportHandler(ctx, capacity, format, async (request: FastifyRequest) => {
    const id = readId((request.params as { id?: string }).id)
    const filter = check(schema, readQuery(request.query as Record<string, unknown>, schema))
    const options = callOptions(requestSettings(request).call)
    const { calls } = withRequestScope(ctx, request)
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
