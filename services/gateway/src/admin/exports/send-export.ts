import { finished } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { check } from '@partsbus/contracts/check'
import { AppError } from '@partsbus/contracts/app-error'
import { adminRows } from '@partsbus/contracts/http/admin'
import type { ReplyOf } from '@partsbus/contracts/message'
import {
  closeExport,
  type exportFormats,
  exportChanges,
  exportOffers,
  exportSkipped,
  readExport,
} from '@partsbus/contracts/pricing-import/commands'
import type { BusClient, CallOptions } from '@partsbus/platform/bus/client'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { requestSettings } from '../../auth/request-settings.js'
import type { GatewayContext } from '../../context.js'
import { contentDisposition } from '../../http/content-disposition.js'
import { Admission } from '@partsbus/http-guard/admission'
import { withRequestScope } from '../../http/request-calls.js'
import { Transfers } from '@partsbus/http-guard/transfers'
import { streamFromFirst } from '../../media/serve-media.js'
import { callOptions } from '../admin-context.js'
import { callerKey } from '../authenticate-admin.js'
import { pageLanguage } from '../page-language.js'
import { readId, readQuery } from '../resources/read-request.js'

type Format = (typeof exportFormats)[number]
type ExportPath = `GET /price-lists/:id/${'offers' | 'changes'}.${Format}` | `GET /import-tasks/:id/skipped.${Format}`

/** How many exports are sent at a time, whatever they contain. */
const CSV = { requests: 6, ofOne: 4, bytes: 0 }
const WORKBOOKS = { requests: 2, ofOne: 1, bytes: 0, maxWaitMs: 20_000 }
const RESPONSES = { bytes: 16 * 1024 * 1024 }
/** For a chunk of a workbook: many pages of rows that repeat much become 64 KiB of compressed bytes. */
const CHUNK_MS = 20_000
const ATTEMPTS = 5
const RETRY_MS = 100
/** Chunks in the client of the bus, in the stream and in the socket. */
const BUFFERED = 2 * 1024 * 1024

/** Downloads of tables, which a process of the service writes while they are sent. */
export function exportHandlers(ctx: GatewayContext) {
  const admissions = { csv: new Admission(CSV), xlsx: new Admission(WORKBOOKS) }
  const transfers = new Transfers(RESPONSES)
  const handler = (path: ExportPath, command: typeof exportOffers | typeof exportChanges | typeof exportSkipped) => {
    const format: Format = path.endsWith('.csv') ? 'csv' : 'xlsx'
    const row = adminRows[path]
    const { query: schema } = row
    const openMs = 'timeoutMs' in row ? row.timeoutMs : undefined
    return (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
      admissions[format].run(async () => {
        // the client may have left while it waited for its turn
        if (request.raw.socket.destroyed) return reply.hijack()
        const id = readId((request.params as { id?: string }).id)
        const filter = check(schema, readQuery(request.query as Record<string, unknown>, schema))
        const { calls } = withRequestScope(ctx, request)
        const options = callOptions(requestSettings(request).call)
        const language = pageLanguage(request.raw)
        const opening = callOptions(requestSettings(request).call, openMs)
        const opened = await calls.request(command, { id, format, ...filter, ...(language && { language }) }, opening)
        const { process, export_id, file_name, media_type } = opened
        const bytes = readBytes(calls, opened, options)
        let end: (() => void) | undefined
        try {
          end = transfers.start(request.raw.socket, BUFFERED)
          // a failure before the first bytes is answered as an error
          const stream = await streamFromFirst(bytes)
          reply.headers({
            'content-type': media_type,
            'content-disposition': contentDisposition('attachment', file_name),
          })
          stream.on('error', (error) => {
            ctx.log.error({ err: error, request_id: request.id, api: 'admin', file_name }, 'export failed')
          })
          reply.send(stream)
          await finished(reply.raw).catch(() => undefined)
          // of a client that went away
          stream.destroy()
        } finally {
          end?.()
          // a stream that was destroyed before it was read has not ended them
          await bytes.return(undefined)
          // it has ended already when it was read to its end, and when its process is gone
          await retryRefused(() => calls.request(closeExport, { export_id }, { process })).catch(() => undefined)
        }
        return reply
      }, callerKey(request))
  }
  const offers = (format: Format) => handler(`GET /price-lists/:id/offers.${format}`, exportOffers)
  const changes = (format: Format) => handler(`GET /price-lists/:id/changes.${format}`, exportChanges)
  const skipped = (format: Format) => handler(`GET /import-tasks/:id/skipped.${format}`, exportSkipped)
  return {
    'GET /price-lists/:id/offers.csv': offers('csv'),
    'GET /price-lists/:id/offers.xlsx': offers('xlsx'),
    'GET /price-lists/:id/changes.csv': changes('csv'),
    'GET /price-lists/:id/changes.xlsx': changes('xlsx'),
    'GET /import-tasks/:id/skipped.csv': skipped('csv'),
    'GET /import-tasks/:id/skipped.xlsx': skipped('xlsx'),
  }
}

/** Asks for one chunk after another, as they are sent: neither side has more of an export in memory. */
async function* readBytes(
  calls: Pick<BusClient, 'forward'>,
  { process, export_id }: ReplyOf<typeof exportOffers>,
  options: CallOptions,
): AsyncGenerator<Uint8Array> {
  const body = Buffer.from(JSON.stringify({ export_id }))
  const read = () => calls.forward(readExport, body, { ...options, process, timeoutMs: CHUNK_MS })
  for (;;) {
    const chunk = await retryRefused(read)
    if (chunk.length === 0) return
    yield chunk
  }
}

/** A service that is busy for a moment has not read the chunk, and must not cost the whole file. */
async function retryRefused<T>(send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send()
    } catch (error) {
      const isRefused = error instanceof AppError && error.code === 'OVERLOADED'
      if (!isRefused || attempt === ATTEMPTS) throw error
      await delay(RETRY_MS * attempt)
    }
  }
}
