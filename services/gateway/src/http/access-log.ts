import type { Log } from '@partsbus/platform/process/log'
import { Histogram, type Metrics } from '@partsbus/platform/process/metrics'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { apiName } from './api-name.js'
import { RefusalLog } from '@partsbus/http-guard/refusal-log'
import { onRequestEnd } from './request-end.js'
import './request-scope.js'
import { urlPath } from './route-registry.js'

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/**
 * Logs and measures every response; of refusals without a credential only some are logged. Headers and queries are left
 * out, since they may contain secrets.
 */
export function addAccessLog(app: FastifyInstance, { log, metrics }: { log: Log; metrics: Metrics }): void {
  const duration = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Duration of HTTP requests, in seconds',
    labelNames: ['http_route', 'http_request_method', 'http_response_status_code', 'error_type'],
    buckets,
    registers: [metrics.registry],
  })
  const refusals = new RefusalLog(log)
  onRequestEnd(app, (request, reply) => {
    const { method } = request
    const http_route = request.routeOptions.url ?? 'unknown'
    const http_request_method = app.supportedMethods.includes(method) ? method : '_OTHER'
    duration.observe(
      {
        http_route,
        http_request_method,
        http_response_status_code: reply.statusCode,
        error_type: request.errorCode ?? '',
      },
      reply.elapsedTime / 1_000,
    )
    if (isAnonymousRefusal(request, reply.statusCode) && !refusals.admits(request.address)) return
    log.info(
      {
        request_id: request.id,
        api: apiName(request.url),
        method,
        path: urlPath(request.url),
        route: http_route,
        status: reply.statusCode,
        duration_ms: Math.round(reply.elapsedTime * 10) / 10,
        client: request.address,
        ...(request.errorCode && { error_code: request.errorCode }),
        ...(!reply.raw.writableFinished && { aborted: true }),
      },
      'request',
    )
  })
}

/** A refused request that showed no credential: anybody can send as many as the line carries. */
function isAnonymousRefusal({ settings, administrator }: FastifyRequest, status: number): boolean {
  return status >= 400 && (status < 500 || status === 503) && !settings && !administrator
}
