import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { AppError } from '@partsbus/contracts/errors'
import type { SkippedRow } from '@partsbus/contracts/pricing-import/price-list'
import { describeTaskFile, listSkippedRows } from '@partsbus/contracts/pricing-import/commands'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayContext } from '../../context.js'
import { Admission } from '../../http/limits/admission.js'
import { contentDisposition } from '../../http/content-disposition.js'
import { withRequestScope } from '../../http/request-calls.js'
import { requestSettings } from '../../auth/request-settings.js'
import { callOptions } from '../admin-context.js'
import { readId } from '../resources/read-request.js'
import { blanks, csvLine, reasonColumns, skippedLine, DEFAULT_DELIMITER } from './skipped-csv.js'

const DOWNLOADS = { requests: 10, bytes: 0 }
const PAGE_ROWS = 500
const BYTE_ORDER_MARK = '\uFEFF'

/** Reads the skipped rows after a row, in their order. */
type ReadRows = (afterRow: number, limit: number) => Promise<SkippedRow[]>

/** The header row of the file. */
interface Header {
  row: number
  cells: string[]
}

/**
 * `GET /import-tasks/:id/skipped.csv` (admin.md#skipped): UTF-8 with a byte order mark, and the delimiter of the list
 * or else `;`. It contains the header of the file, where there is one.
 */
export function downloadSkipped(ctx: GatewayContext) {
  const admission = new Admission(DOWNLOADS)
  return (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    admission.run(async () => {
      const id = readId((request.params as { id?: string }).id)
      const options = callOptions(requestSettings(request).call)
      const { calls } = withRequestScope(ctx, request)
      const { header = null, delimiter } = await calls.request(describeTaskFile, { id }, options)
      const read: ReadRows = async (after_row, per_page) =>
        (await calls.request(listSkippedRows, { id, page: 1, per_page, after_row }, options)).data
      const lines = skippedLines(read, header, delimiter === 'auto' ? undefined : delimiter)
      // a failure before the first line is answered as an error
      const first = await lines.next()
      reply.headers({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': contentDisposition('attachment', `skipped-${id}.csv`),
      })
      reply.send(
        Readable.from(
          (async function* () {
            if (!first.done) yield first.value
            yield* lines
          })(),
        ),
      )
      await finished(reply.raw).catch(() => undefined)
      return reply
    })
}

/**
 * Yields the lines of one page of rows at a time. The header has the same position among the rows as in the file, so
 * that a list that skips its first rows reads this file in the same way.
 */
export async function* skippedLines(
  read: ReadRows,
  header: Header | null,
  delimiter = DEFAULT_DELIMITER,
): AsyncGenerator<string> {
  let rows = await readPage(read, 0)
  const width = Math.max(header?.cells.length ?? 0, ...rows.map(({ cells }) => cells.length))
  const heading =
    header && csvLine([...header.cells, ...blanks(width - header.cells.length), ...reasonColumns], delimiter)
  let isHeadingDue = heading !== null
  yield BYTE_ORDER_MARK
  for (; rows.length > 0; rows = await readPage(read, rows.at(-1)?.row ?? 0)) {
    const above = isHeadingDue ? rows.filter(({ row }) => row < (header?.row ?? 0)) : rows
    const below = rows.slice(above.length)
    yield [
      ...above.map((row) => skippedLine(row, width, delimiter)),
      isHeadingDue && below.length > 0 ? heading : '',
      ...below.map((row) => skippedLine(row, width, delimiter)),
    ].join('')
    isHeadingDue &&= below.length === 0
  }
  if (isHeadingDue && heading) yield heading
}

/** Rows with many long cells may exceed the size of a message. */
async function readPage(read: ReadRows, afterRow: number): Promise<SkippedRow[]> {
  for (let limit = PAGE_ROWS; ; limit = Math.ceil(limit / 8)) {
    try {
      return await read(afterRow, limit)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'TOO_LARGE' || limit === 1) throw error
    }
  }
}
