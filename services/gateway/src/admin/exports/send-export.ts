import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { type AdminRows, adminRows } from '@partsbus/contracts/http/admin'
import { WORKBOOK_TYPE } from '@partsbus/contracts/http/row'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { requestSettings } from '../../auth/request-settings.js'
import type { GatewayContext } from '../../context.js'
import { contentDisposition } from '../../http/content-disposition.js'
import { Admission } from '../../http/limits/admission.js'
import { withRequestScope } from '../../http/request-calls.js'
import { Transfers } from '../../http/transfers.js'
import { callOptions } from '../admin-context.js'
import { callerKey } from '../authenticate-admin.js'
import { check, readId, readQuery } from '../resources/read-request.js'
import { type Cell, writeCsv } from './csv.js'
import { writeWorkbook } from './workbook.js'

export type ExportFormat = 'csv' | 'xlsx'

/** A table to send. */
export interface Export {
  /** without its ending */
  fileName: string
  /** batches of rows, which are read as the client receives them */
  rows: AsyncGenerator<Cell[][]>
  /** of a CSV */
  delimiter?: string | undefined
  /** name of the sheet of a workbook */
  sheet: string
  /** whether the first row names the columns */
  hasHeading: boolean
}

const CSV = { requests: 6, ofOne: 4, bytes: 0 }
/** Each has a thread, which takes about 100 MB. */
const WORKBOOKS = { requests: 2, ofOne: 1, bytes: 192 * 1024 * 1024, maxWaitMs: 20_000 }
const RESPONSES = { bytes: 16 * 1024 * 1024 }
/** A page of rows and what it became. */
const BUFFERED = 2 * 1024 * 1024

/** How many exports run at a time, whatever they contain. */
export class ExportCapacity {
  readonly csv = new Admission(CSV)
  readonly xlsx = new Admission(WORKBOOKS)
  readonly transfers = new Transfers(RESPONSES)
}

/** A download of one resource. */
export type ExportPath = `GET /price-lists/:id/offers.${ExportFormat}` | `GET /import-tasks/:id/skipped.${ExportFormat}`

/** The request of a download: the id of its path and its query, checked. */
export interface ExportRequest<Path extends ExportPath> {
  id: number
  filter: AdminRows[Path]['query']['_output']
  calls: GatewayContext['calls']
  options: ReturnType<typeof callOptions>
}

/** Handles downloads of tables. @param open reads the first page, so that its errors are answered */
export function exportHandler<Path extends ExportPath>(
  ctx: GatewayContext,
  capacity: ExportCapacity,
  path: Path,
  open: (request: ExportRequest<Path>) => Promise<Export>,
) {
  const { query: schema } = adminRows[path]
  const format: ExportFormat = path.endsWith('.csv') ? 'csv' : 'xlsx'
  return (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    capacity[format].run(async () => {
      // the client may have left while it waited for its turn
      if (request.raw.socket.destroyed) return reply.hijack()
      const table = await open({
        id: readId((request.params as { id?: string }).id),
        filter: check(schema, readQuery(request.query as Record<string, unknown>, schema)),
        calls: withRequestScope(ctx, request).calls,
        options: callOptions(requestSettings(request).call),
      })
      const end = capacity.transfers.start(request.raw.socket, BUFFERED)
      const bytes = format === 'csv' ? csvBytes(table) : workbookBytes(table)
      try {
        // a failure before the first bytes is answered as an error
        const first = await bytes.next()
        reply.headers({
          'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : WORKBOOK_TYPE,
          'content-disposition': contentDisposition('attachment', `${table.fileName}.${format}`),
        })
        const stream = Readable.from(prepend(first, bytes), { objectMode: false })
        stream.on('error', (error) => {
          const fields = { request_id: request.id, api: 'admin', file_name: table.fileName }
          ctx.log.error({ err: error, ...fields }, 'export failed')
        })
        reply.send(stream)
        await finished(reply.raw).catch(() => undefined)
        // of a client that went away
        stream.destroy()
      } finally {
        end()
        // a stream that was destroyed before it was read has not ended them, nor the thread behind them
        await bytes.return(undefined)
      }
      return reply
    }, callerKey(request))
}

async function* csvBytes({ rows, delimiter }: Export): AsyncGenerator<Uint8Array> {
  for await (const text of writeCsv(rows, delimiter)) yield Buffer.from(text)
}

function workbookBytes({ rows, sheet, hasHeading }: Export): AsyncGenerator<Uint8Array> {
  return writeWorkbook(rows, { sheet, isFirstRowFrozen: hasHeading })
}

async function* prepend<Item>(first: IteratorResult<Item>, rest: AsyncGenerator<Item>): AsyncGenerator<Item> {
  if (!first.done) yield first.value
  yield* rest
}
