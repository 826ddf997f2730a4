import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { logLines, readLogs } from './testing/log-files.js'
import { reportModules } from './testing/module-report.js'
import { expectStatus, openShop, type Shop } from './testing/shop.js'
import { waitFor } from '@partsbus/test-kit/wait-for'

jest.setTimeout(60_000)

const SERVICES = ['gateway', 'catalog', 'stock', 'pricing-import', 'supplier-search']
const isSdk = (file: string) => /@opentelemetry[+/](sdk-|instrumentation)/.test(file)
const services = (report: Map<string, string[]>) =>
  [...report].filter(([script]) => /services\/[a-z-]+\/dist\/main\.js$/.test(script))

/** The spans of one trace in the output of the console exporter: `[scope, name]`. */
function spansOf(text: string, traceId: string): [scope: string, name: string][] {
  return text
    .split(/^\{$/m)
    .filter((part) => part.includes(`traceId: '${traceId}'`))
    .map((part) => [
      /instrumentationScope: \{\s*name: '([^']+)'/.exec(part)?.[1] ?? '',
      /^ {2}name: '([^']+)'/m.exec(part)?.[1] ?? '',
    ])
}

describe('traces', () => {
  describe('when OpenTelemetry is enabled', () => {
    let shop: Shop
    const modules = reportModules()
    beforeAll(async () => {
      shop = await openShop({
        env: { ...modules.env, OTEL_TRACES_EXPORTER: 'console', OTEL_BSP_SCHEDULE_DELAY: '200', LOG_LEVEL: 'debug' },
      })
    }, 300_000)
    afterAll(() => shop?.stop())

    const send = async (path: string, body: unknown, traceId: string) => {
      const headers = {
        traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
        'x-request-id': `traced-${traceId.slice(0, 8)}`,
      }
      expectStatus(await shop.erp.post(path, body, headers), 200)
    }
    const whenSpans = (process: string, traceId: string, scope: RegExp) =>
      waitFor(
        async () => spansOf(readLogs(shop.product).get(`${process}.log`) ?? '', traceId),
        (spans) => spans.some(([name]) => scope.test(name)),
        15_000,
        200,
      )

    it("the caller's trace id goes from HTTP through NATS to MongoDB", async () => {
      const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
      await send('/products/batch-upsert', [{ id_erp: 'traced', name: 'Traced' }], traceId)
      const atGateway = await whenSpans('gateway', traceId, /instrumentation-http/)
      expect(atGateway.map(([, name]) => name)).toContain('catalog.products.upsert')
      const atCatalog = await whenSpans('catalog', traceId, /instrumentation-mongodb/)
      expect(atCatalog.map(([, name]) => name)).toContain('catalog.products.upsert')
    })

    it('every span carries the request id', async () => {
      const traceId = 'ccccddddeeeeffff0000111122223333'
      await send('/products/batch-upsert', [{ id_erp: 'traced-id', name: 'Traced' }], traceId)
      for (const [process, scope] of [
        ['gateway', /instrumentation-http/],
        ['catalog', /instrumentation-mongodb/],
      ] as const) {
        await whenSpans(process, traceId, scope)
        const spans = (readLogs(shop.product).get(`${process}.log`) ?? '')
          .split(/^\{$/m)
          .filter((part) => part.includes(`traceId: '${traceId}'`))
        expect(spans.length).toBeGreaterThan(1)
        for (const span of spans) expect(span).toContain("'partsbus.request_id': 'traced-ccccdddd'")
      }
    })

    it('the trace continues from service to service', async () => {
      const traceId = 'aaaabbbbccccddddeeeeffff00001111'
      await send('/stocks/batch-update', [{ product_id_erp: 'traced', quantity: 1 }], traceId)
      await whenSpans('stock', traceId, /instrumentation-mongodb/)
      const atCatalog = await whenSpans('catalog', traceId, /instrumentation-mongodb/)
      expect(atCatalog.map(([, name]) => name)).toContain('catalog.products.resolve')
    })

    it('log lines have the trace id and the request id', async () => {
      const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
      await waitFor(
        async () =>
          logLines(shop.product, 'gateway')
            .filter((line) => line.request_id === 'traced-4bf92f35')
            .map((line) => line.trace_id),
        (ids) => ids.includes(traceId),
      )
    })

    it('every service loads the SDK (which shows that the check below can fail)', async () => {
      await shop.stop()
      const report = services(modules.read())
      expect(report).toHaveLength(SERVICES.length)
      for (const [script, files] of report) expect([script, files.some(isSdk)]).toEqual([script, true])
    })
  })

  describe('when it is not enabled', () => {
    it('no service loads the SDK; the log has request ids and no trace ids', async () => {
      const modules = reportModules()
      const shop = await openShop({ env: modules.env })
      expectStatus(
        await shop.erp.post('/products/batch-upsert', [{ id_erp: 'plain', name: 'Plain' }], {
          'x-request-id': 'plain-request-1',
        }),
        200,
      )
      const lines = await waitFor(
        async () => logLines(shop.product, 'gateway').filter((line) => line.request_id === 'plain-request-1'),
        (found) => found.length > 0,
      )
      for (const line of lines) expect(line.trace_id).toBeUndefined()
      await shop.stop()
      const report = services(modules.read())
      expect(report).toHaveLength(SERVICES.length)
      for (const [script, files] of report)
        expect([script, files.length > 10, files.filter(isSdk)]).toEqual([script, true, []])
    })
  })
})
