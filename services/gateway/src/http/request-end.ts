import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * Runs `note` once for each request, also when its caller hung up. Fastify's onResponse waits for the end of the
 * response, which such a request never has: it is noted when its handler answers, or when the response breaks off.
 */
export function onRequestEnd(app: FastifyInstance, note: (request: FastifyRequest, reply: FastifyReply) => void): void {
  const noted = new WeakSet<FastifyRequest>()
  const noteOnce = (request: FastifyRequest, reply: FastifyReply): void => {
    if (noted.has(request)) return
    noted.add(request)
    note(request, reply)
  }
  app.addHook('onResponse', (request, reply, done) => {
    noteOnce(request, reply)
    done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.raw.destroyed) noteOnce(request, reply)
    else reply.raw.once('close', () => noteOnce(request, reply))
    done(null, payload)
  })
}
