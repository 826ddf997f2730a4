import { finished } from 'node:stream/promises'
import { describeTaskFile, readTaskFile } from '@partsbus/contracts/pricing'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayContext } from '../../context.js'
import { Admission } from '../../http/limits/admission.js'
import { contentDisposition } from '../../http/content-disposition.js'
import { withRequestScope } from '../../http/request-calls.js'
import { requestSettings } from '../../auth/request-settings.js'
import { bufferedBytes, readChunks } from '../../media/file-chunks.js'
import { streamFromFirst } from '../../media/serve-media.js'
import { readId } from '../resources/read-request.js'

/** Downloads at once, and what their readers make the gateway hold. */
const DOWNLOADS = { requests: 20, bytes: 40 * 1024 * 1024 }

/** `GET /import-tasks/:id/file` (admin.md#skipped): the uploaded file under its own name, as fast as its reader takes it. */
export function downloadFile(ctx: GatewayContext) {
  const admission = new Admission(DOWNLOADS)
  return (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    admission.run(async (hold) => {
      const id = readId((request.params as { id?: string }).id)
      const { calls } = withRequestScope(ctx, request)
      const { file_name, size } = await calls.request(
        describeTaskFile,
        { id },
        { settings: requestSettings(request).call },
      )
      hold(bufferedBytes(size))
      const bytes = await streamFromFirst(readChunks(calls, readTaskFile, id, { first: 0, last: size - 1 }))
      reply.headers({
        'content-type': 'application/octet-stream',
        'content-length': String(size),
        'content-disposition': contentDisposition('attachment', file_name),
      })
      reply.send(bytes)
      // the place is kept until the answer has left or its client is gone
      await finished(reply.raw).catch(() => undefined)
      return reply
    })
}
