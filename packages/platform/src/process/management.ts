import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Registry } from 'prom-client'
import { buildInfo } from './build-info.js'

/** The checks of `/livez` and `/readyz`. A check returns the reason why it fails, or undefined. */
export interface HealthChecks {
  live: () => string | undefined
  ready: () => Promise<string | undefined>
}

export interface ManagementServer {
  port: number
  close(): Promise<void>
}

/**
 * Serves `/livez`, `/readyz` and `/metrics` on a port of their own (admin.md#management). Liveness does not depend on
 * bus or database.
 */
export async function startManagement(options: {
  port: number
  host: string
  checks: HealthChecks
  registry: Registry
}): Promise<ManagementServer> {
  const { checks, registry } = options
  const routes: Record<string, () => Promise<{ status: number; type: string; body: string }>> = {
    '/livez': async () => health(checks.live()),
    '/readyz': async () => health(await checks.ready(), buildInfo),
    '/metrics': async () => ({ status: 200, type: registry.contentType, body: await registry.metrics() }),
  }
  const server = createServer((request, response) => {
    const route = routes[(request.url ?? '').split('?')[0] ?? '']
    const answer = route
      ? route()
      : Promise.resolve({ status: 404, type: 'application/json', body: '{"message":"Not found."}' })
    answer.then(
      ({ status, type, body }) =>
        response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((done, fail) => {
    server.once('error', fail)
    server.listen(options.port, options.host, done)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

function health(reason: string | undefined, details = {}): { status: number; type: string; body: string } {
  return {
    status: reason === undefined ? 200 : 503,
    type: 'application/json',
    body: JSON.stringify({
      ...(reason === undefined ? { status: 'ok' } : { status: 'unavailable', reason }),
      ...details,
    }),
  }
}
