import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { AppError } from '@partsbus/contracts/errors'
import type { SkippedRow } from '@partsbus/contracts/price-list'
import { describeTaskFile, listSkippedRows } from '@partsbus/contracts/pricing'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayContext } from '../../context.js'
import { Admission } from '../../http/limits/admission.js'
import { contentDisposition } from '../../http/content-disposition.js'
import { withRequestScope } from '../../http/request-calls.js'
import { requestSettings } from '../../auth/request-settings.js'
import { callOptions } from '../admin-context.js'
import { readId } from '../resources/read-request.js'
import { blanks, csvLine, reasonColumns, skippedLine, USUAL_DELIMITER } from './skipped-csv.js'

const DOWNLOADS = { requests: 10, bytes: 0 }
const PAGE_ROWS = 500
const BYTE_ORDER_MARK = '\uFEFF'

/** Gives the skipped rows behind a row, in their order. */
type ReadRows = (afterRow: number, limit: number) => Promise<SkippedRow[]>

/** The header row of the file, and where it stood. */
interface Header {
  row: number
  cells: string[]
}

/**
 * `GET /import-tasks/:id/skipped.csv` (admin.md#skipped): UTF-8 with a byte order mark and the delimiter that is set for the list, else `;`, the
 * header of the file first, where it had one.
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
      // what fails before the first line is answered as an error
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
 * Texts of one page of rows each. The next page is read when the one before it was taken. The header stands among the rows
 * where it stood in the file, behind those above it, so that a list that leaves out its first rows reads this file alike.
 */
export async function* skippedLines(
  read: ReadRows,
  header: Header | null,
  delimiter = USUAL_DELIMITER,
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

/** Rows of many long cells may be more than one message holds. */
async function readPage(read: ReadRows, afterRow: number): Promise<SkippedRow[]> {
  for (let limit = PAGE_ROWS; ; limit = Math.ceil(limit / 8)) {
    try {
      return await read(afterRow, limit)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'TOO_LARGE' || limit === 1) throw error
    }
  }
}
