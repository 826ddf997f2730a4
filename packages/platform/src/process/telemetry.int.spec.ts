import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from '@jest/globals'

/** A process with the SDK and its instrumentations, which this process must not load: they change modules of Node. */
const SERVING = `
import { once } from 'node:events'
import { createRequire } from 'node:module'
const [telemetry, spans] = process.argv.slice(1)
const { startTelemetry, stopTelemetry } = await import(telemetry)
const { describeServerSpan, traceStep } = await import(spans)
await startTelemetry('test')
const http = createRequire(telemetry)('node:http')
const server = http.createServer(async (request, response) => {
  const routed = { method: request.method, routeOptions: { url: '/things/:id' } }
  describeServerSpan({ requestId: 'request-1', api: 'erp' }, routed)
  await traceStep('a step', async () => undefined)
  response.end()
})
await once(server.listen(0, '127.0.0.1'), 'listening')
const [response] = await once(http.get({ port: server.address().port, path: '/things/7', agent: false }), 'response')
await once(response.resume(), 'end')
server.close()
await stopTelemetry(10_000)
`

it('labels the spans of instrumentations, and those below them, with the id of the request', async () => {
  const modules = ['telemetry', 'spans'].map((name) => new URL(`../../dist/process/${name}.js`, import.meta.url).href)
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', SERVING, ...modules], {
    timeout: 60_000,
    env: {
      PATH: process.env.PATH,
      OTEL_TRACES_EXPORTER: 'console',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_LOGS_EXPORTER: 'none',
    },
  })
  const printed = stdout.split(/^\{$/m)
  const find = (name: string): string => printed.find((span) => span.includes(`\n  name: '${name}'`)) ?? ''
  const server = find('GET /things/:id')
  expect(server).toContain("'http.route': '/things/:id'")
  expect(server).toContain("'partsbus.api': 'erp'")
  for (const span of [server, find('a step')]) expect(span).toContain("'partsbus.request_id': 'request-1'")
  const id = /^ {2}id: '([0-9a-f]{16})'/m.exec(server)?.[1]
  expect(/spanId: '([0-9a-f]{16})'/.exec(find('a step'))?.[1]).toBe(id)
})
