import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { AdminImportTask } from '@partsbus/contracts/pricing-import/import-task'
import { getImportTask } from '@partsbus/contracts/pricing-import/commands'
import { Gauge } from '@partsbus/platform/process/metrics'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayContext } from '../../context.js'
import { Admission } from '@partsbus/http-guard/admission'
import { withRequestScope } from '../../http/request-calls.js'
import { requestSettings } from '../../auth/request-settings.js'
import { callerKey, isStillSignedIn } from '../authenticate-admin.js'
import { readId } from '../resources/read-request.js'
import { PollCoalescer } from './poll-coalescer.js'
import { eventId, isFinal, taskEvents } from './task-events.js'

/** Listeners at once in this process, and those of one session. */
const LISTENERS = { requests: 200, ofOne: 20, bytes: 0 }
const TIMES = { pollMs: 300, beatMs: 15_000, patienceMs: 60_000 }

/**
 * `GET /import-tasks/:id/events` (admin.md#task-events). A browser that reconnects sends the id of the last event it
 * received, and gets the later ones.
 */
export function followTask(ctx: GatewayContext, isDraining: () => boolean) {
  const admission = new Admission(LISTENERS)
  const polls = new PollCoalescer<AdminImportTask>(TIMES.pollMs)
  const open = new Gauge({
    name: 'admin_event_streams',
    help: 'Open event streams of imports',
    registers: [ctx.metrics.registry],
  })
  return (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    admission.run(async () => {
      const id = readId((request.params as { id?: string }).id)
      const settings = requestSettings(request).call
      const { calls } = withRequestScope(ctx, request)
      const readTask = (): Promise<AdminImportTask> => calls.request(getImportTask, { id }, { settings })
      const read = (): Promise<AdminImportTask> => polls.read(`${id} ${settings.admin_locale}`, readTask)
      const first = await readTask()
      const seen = request.headers['last-event-id']?.toString()
      // a browser reconnects after every end of the stream; only 204 tells it that there are no more events
      if (isFinal(first) && eventId(first) === seen) return reply.code(204).send()
      reply.headers({
        'content-type': 'text/event-stream; charset=utf-8',
        // for proxies that would buffer events
        'x-accel-buffering': 'no',
        // a process that stops would wait for the connection to become idle
        connection: 'close',
      })
      const isOver = async (): Promise<boolean> =>
        isDraining() || reply.raw.destroyed || !(await isStillSignedIn(ctx.accounts, request))
      reply.send(Readable.from(taskEvents(first, { read, isOver, seen, ...TIMES })))
      open.inc()
      await finished(reply.raw).catch(() => undefined)
      open.dec()
      return reply
    }, callerKey(request))
}
