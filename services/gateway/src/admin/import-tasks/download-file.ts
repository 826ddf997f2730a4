import { finished } from 'node:stream/promises'
import { describeTaskFile, readTaskFile } from '@partsbus/contracts/pricing-import/commands'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayContext } from '../../context.js'
import { Admission } from '@partsbus/http-guard/admission'
import { contentDisposition } from '../../http/content-disposition.js'
import { requestSettings } from '../../auth/request-settings.js'
import { bufferedBytes, readChunks } from '../../media/file-chunks.js'
import { streamFromFirst } from '../../media/serve-media.js'
import { Transfers } from '@partsbus/http-guard/transfers'
import { adminContext } from '../admin-context.js'
import { callerKey } from '../authenticate-admin.js'
import { recordChange } from '../audit/record-change.js'
import { readId } from '../resources/read-request.js'

/** Downloads at once, and the memory of their responses. */
const DOWNLOADS = { requests: 20, ofOne: 10, bytes: 0 }
const RESPONSES = { bytes: 40 * 1024 * 1024 }

/** `GET /import-tasks/:id/file` (admin.md#skipped): the uploaded file under its own name, recorded like a change. */
export function downloadFile(ctx: GatewayContext) {
  const admission = new Admission(DOWNLOADS)
  const transfers = new Transfers(RESPONSES)
  return (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    admission.run(async () => {
      const id = readId((request.params as { id?: string }).id)
      const scoped = adminContext(ctx, request)
      const { calls } = scoped
      const { file_name, size } = await calls.request(
        describeTaskFile,
        { id },
        { settings: requestSettings(request).call },
      )
      const end = transfers.start(request.raw.socket, bufferedBytes(size))
      try {
        const bytes = await recordChange(scoped, {
          action: 'import-task.file',
          details: { id, file_name, size },
          make: () => streamFromFirst(readChunks(calls, readTaskFile, id, { first: 0, last: size - 1 })),
        })
        reply.headers({
          'content-type': 'application/octet-stream',
          'content-length': String(size),
          'content-disposition': contentDisposition('attachment', file_name),
        })
        reply.send(bytes)
        // the memory is in use until the response is sent or its client is gone
        await finished(reply.raw).catch(() => undefined)
      } finally {
        end()
      }
      return reply
    }, callerKey(request))
}
