import { adminOperations } from '@partsbus/contracts/admin/operations'
import { describeTaskFile, listSkippedRows } from '@partsbus/contracts/pricing-import/commands'
import type { FastifyRequest } from 'fastify'
import { requestSettings } from '../../auth/request-settings.js'
import type { GatewayContext } from '../../context.js'
import { withRequestScope } from '../../http/request-calls.js'
import { callOptions } from '../admin-context.js'
import { check, readId, readQuery } from '../resources/read-request.js'
import { type ExportCapacity, exportHandler, type ExportFormat } from './send-export.js'
import { type ReadSkipped, skippedRows } from './skipped-rows.js'

/**
 * `GET /import-tasks/:id/skipped.csv` and `.xlsx` (admin.md#skipped-files). The CSV has the delimiter of the list, or
 * else `;`.
 */
export function exportSkipped(ctx: GatewayContext, capacity: ExportCapacity, format: ExportFormat) {
  const { query: schema } = adminOperations[`GET /import-tasks/:id/skipped.${format}`]
  return exportHandler(ctx, capacity, format, async (request: FastifyRequest) => {
    const id = readId((request.params as { id?: string }).id)
    const filter = check(schema, readQuery(request.query as Record<string, unknown>, schema))
    const options = callOptions(requestSettings(request).call)
    const { calls } = withRequestScope(ctx, request)
    const { header = null, delimiter } = await calls.request(describeTaskFile, { id }, options)
    const read: ReadSkipped = async (after_row, per_page) =>
      (await calls.request(listSkippedRows, { id, page: 1, per_page, after_row, ...filter }, options)).data
    return {
      fileName: `skipped-${id}`,
      rows: skippedRows(read, header),
      delimiter: delimiter === 'auto' ? undefined : delimiter,
      sheet: 'Skipped rows',
      hasHeading: header?.row === 1,
    }
  })
}
