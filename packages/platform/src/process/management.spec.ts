import { describe, expect, it } from '@jest/globals'
import { buildInfo } from './build-info.js'
import { startManagement } from './management.js'
import { createMetrics } from './metrics.js'

describe('the management port (admin.md#management)', () => {
  it('distinguishes liveness from readiness with its reason, and serves the metrics', async () => {
    let reason: string | undefined = 'the bus is down'
    const { registry } = createMetrics('test')
    const server = await startManagement({
      port: 0,
      host: '127.0.0.1',
      registry,
      checks: { live: () => undefined, ready: async () => reason },
    })
    const get = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${server.port}${path}`)
      return { status: answer.status, body: await answer.text() }
    }
    expect(await get('/livez')).toEqual({ status: 200, body: '{"status":"ok"}' })
    const { status, body } = await get('/readyz')
    expect([status, JSON.parse(body)]).toEqual([
      503,
      { status: 'unavailable', reason: 'the bus is down', ...buildInfo },
    ])
    reason = undefined
    expect((await get('/readyz?x=1')).status).toBe(200)
    expect((await get('/metrics')).body).toContain('messaging_process_duration_seconds')
    expect((await get('/secrets')).status).toBe(404)
    await server.close()
  })
})
