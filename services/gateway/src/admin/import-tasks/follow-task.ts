import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { getImportTask } from '@partsbus/contracts/pricing'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayContext } from '../../context.js'
import { Admission } from '../../http/limits/admission.js'
import { withRequestScope } from '../../http/request-calls.js'
import { requestSettings } from '../../auth/request-settings.js'
import { readId } from '../resources/read-request.js'
import { eventId, isFinal, taskEvents } from './task-events.js'

/** Listeners at once in this process. Each asks the service three times a second. */
const LISTENERS = { requests: 50, bytes: 0 }
const TIMES = { pollMs: 300, beatMs: 15_000, patienceMs: 60_000 }

/** `GET /import-tasks/:id/events` (admin.md#task-events). A browser that lost its connection names the last event it got, and gets what came since. */
export function followTask(ctx: GatewayContext, isDraining: () => boolean) {
  const admission = new Admission(LISTENERS)
  return (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    admission.run(async () => {
      const id = readId((request.params as { id?: string }).id)
      const settings = requestSettings(request).call
      const { calls } = withRequestScope(ctx, request)
      const read = () => calls.request(getImportTask, { id }, { settings })
      const first = await read()
      const seen = request.headers['last-event-id']?.toString()
      // a browser asks again after every end; only this tells it that nothing more will come
      if (isFinal(first) && eventId(first) === seen) return reply.code(204).send()
      reply.headers({
        'content-type': 'text/event-stream; charset=utf-8',
        // for proxies that would collect events before they pass them on
        'x-accel-buffering': 'no',
        // a process that stops would wait for the connection to be given up
        connection: 'close',
      })
      const isOver = (): boolean => isDraining() || reply.raw.destroyed
      reply.send(Readable.from(taskEvents(first, { read, isOver, seen, ...TIMES })))
      await finished(reply.raw).catch(() => undefined)
      return reply
    })
}
