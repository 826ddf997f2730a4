import { describeTaskFile, listSkippedRows } from '@partsbus/contracts/pricing-import/commands'
import type { GatewayContext } from '../../context.js'
import { type ExportCapacity, type ExportFormat, exportHandler } from './send-export.js'
import { type ReadSkipped, skippedRows } from './skipped-rows.js'

/**
 * `GET /import-tasks/:id/skipped.csv` and `.xlsx` (admin.md#skipped-files). The CSV has the delimiter of the list, or
 * else `;`.
 */
export function exportSkipped(ctx: GatewayContext, capacity: ExportCapacity, format: ExportFormat) {
  return exportHandler(ctx, capacity, `GET /import-tasks/:id/skipped.${format}`, async (request) => {
    const { id, filter, calls, options } = request
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
