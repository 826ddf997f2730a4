import type { FastifyInstance } from 'fastify'
import type { GatewayContext } from '../context.js'
import { serveMedia } from './serve-media.js'

/** `/media/:id/:file_name`: stored pictures, open to all. */
export function mediaRoutes(ctx: GatewayContext) {
  return async (media: FastifyInstance): Promise<void> => {
    media.route({ method: ['GET', 'HEAD'], url: '/:id/:file_name', handler: serveMedia(ctx) })
  }
}
