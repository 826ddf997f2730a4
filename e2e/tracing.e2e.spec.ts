import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { startTestS3, type TestS3 } from '@partsbus/local-stack/test-s3'
import { field, file } from '@partsbus/test-kit/form'
import { type ImageHost, startImageHost } from '@partsbus/test-kit/image-host'
import { png } from '@partsbus/test-kit/png'
import { logLines, readLogs } from './testing/log-files.js'
import { reportModules } from './testing/module-report.js'
import { openPartner, type Partner } from './testing/partner.js'
import { expectStatus, openShop, type Shop } from './testing/shop.js'
import { waitFor } from '@partsbus/test-kit/wait-for'

jest.setTimeout(240_000)

const SERVICES = ['gateway', 'administration', 'catalog', 'stock', 'pricing-import', 'supplier-search']
const PRICES = 'brand;article;name;quantity;price\nKYB;T-1;Traced;3;7\n'
const isSdk = (file: string) => /@opentelemetry[+/](sdk-|instrumentation)/.test(file)
const services = (report: Map<string, string[]>) =>
  [...report].filter(([script]) => /services\/[a-z-]+\/dist\/main\.js$/.test(script))

/** A span in the output of the console exporter. */
interface PrintedSpan {
  /** `partsbus`, or the name of an instrumentation */
  scope: string
  name: string
  traceId: string
  text: string
}

/** The spans that a process has printed so far. */
function readSpans(shop: Shop, process: string): PrintedSpan[] {
  const text = readLogs(shop.product).get(`${process}.log`) ?? ''
  return text.split(/^\{$/m).flatMap((part) => {
    const traceId = /^ {2}traceId: '([0-9a-f]{32})'/m.exec(part)?.[1]
    const name = /^ {2}name: '([^']+)'/m.exec(part)?.[1]
    if (traceId === undefined || name === undefined) return []
    return [{ scope: /instrumentationScope: \{\s*name: '([^']+)'/.exec(part)?.[1] ?? '', name, traceId, text: part }]
  })
}

function hasLinkTo(span: PrintedSpan, traceId: string): boolean {
  const links = span.text.indexOf('\n  links: [')
  return links >= 0 && span.text.includes(`traceId: '${traceId}'`, links)
}

describe('traces', () => {
  describe('when OpenTelemetry is enabled', () => {
    let shop: Shop
    let partner: Partner
    let images: ImageHost
    let s3: TestS3
    const modules = reportModules()
    beforeAll(async () => {
      s3 = await startTestS3()
      images = await startImageHost()
      shop = await openShop({
        settings: { b2b_enabled: true, media_allowed_hosts: ['127.0.0.1'] },
        env: {
          ...modules.env,
          ...s3.config,
          STORAGE_DRIVER: 's3',
          SUPPLIER_ALLOWED_HOSTS: '127.0.0.1',
          SOURCE_ALLOWED_HOSTS: '127.0.0.1',
          OTEL_TRACES_EXPORTER: 'console',
          OTEL_BSP_SCHEDULE_DELAY: '200',
          LOG_LEVEL: 'debug',
        },
      })
      partner = await openPartner(shop)
    }, 300_000)
    afterAll(async () => {
      await (partner ?? shop)?.stop()
      await images?.close()
      await s3?.close()
    })

    const traceHeaders = (traceId: string) => ({
      traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
      'x-request-id': `traced-${traceId.slice(0, 8)}`,
    })
    const send = async (path: string, body: unknown, traceId: string) => {
      expectStatus(await shop.erp.post(path, body, traceHeaders(traceId)), 200)
    }
    /** Waits until a process has printed spans of a trace with all of these names, and one of this scope. */
    const whenSpans = (process: string, traceId: string, names: string[], scope = /./) =>
      waitFor(
        async () => readSpans(shop, process).filter((span) => span.traceId === traceId),
        (spans) =>
          names.every((name) => spans.some((span) => span.name === name)) &&
          spans.some((span) => scope.test(span.scope)),
        30_000,
        200,
      )
    /** Waits for the trace of work that a request has caused. @returns its id */
    const whenLinked = async (process: string, name: string, traceId: string): Promise<string> => {
      const [span] = await waitFor(
        async () => readSpans(shop, process).filter((each) => each.name === name && hasLinkTo(each, traceId)),
        (spans) => spans.length > 0,
        30_000,
        200,
      )
      return span?.traceId ?? ''
    }

    it("the caller's trace id goes from HTTP through NATS to MongoDB", async () => {
      const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
      await send('/products/batch-upsert', [{ id_erp: 'traced', name: 'Traced' }], traceId)
      const atGateway = ['POST /api/erp/products/batch-upsert', 'catalog.products.upsert']
      await whenSpans('gateway', traceId, atGateway, /instrumentation-http/)
      await whenSpans('catalog', traceId, ['catalog.products.upsert'], /instrumentation-mongodb/)
    })

    it('every span carries the request id', async () => {
      const traceId = 'ccccddddeeeeffff0000111122223333'
      await send('/products/batch-upsert', [{ id_erp: 'traced-id', name: 'Traced' }], traceId)
      for (const [process, scope] of [
        ['gateway', /instrumentation-http/],
        ['catalog', /instrumentation-mongodb/],
      ] as const) {
        const spans = await whenSpans(process, traceId, ['catalog.products.upsert'], scope)
        expect(spans.length).toBeGreaterThan(1)
        for (const span of spans) expect(span.text).toContain("'partsbus.request_id': 'traced-ccccdddd'")
      }
    })

    it('the trace continues from service to service', async () => {
      const traceId = 'aaaabbbbccccddddeeeeffff00001111'
      await send('/stocks/batch-update', [{ product_id_erp: 'traced', quantity: 1 }], traceId)
      await whenSpans('stock', traceId, [], /instrumentation-mongodb/)
      await whenSpans('catalog', traceId, ['catalog.products.resolve'], /instrumentation-mongodb/)
    })

    it('the import of an upload has a link to the trace of the upload, and a span for each step', async () => {
      const traceId = '11112222333344445555666677778888'
      const { id } = await partner.newList()
      const parts = [field('id', id), file(PRICES)]
      const { body } = expectStatus(await partner.upload(parts, traceHeaders(traceId)), 200)
      expect((await partner.finish(body.task_id ?? 0)).status).toBe('completed')
      await whenSpans('gateway', traceId, ['upload.receive'])
      await whenSpans('pricing-import', traceId, ['upload.fetch', 'upload.check', 'upload.store', 'S3.PutObject'])
      const importTrace = await whenLinked('pricing-import', 'price-list.import', traceId)
      const steps = ['fetch', 'unpack', 'read', 'write', 'switch'].map((step) => `price-list.${step}`)
      const names = [...steps, 'S3.GetObject']
      const spans = await whenSpans('pricing-import', importTrace, names, /instrumentation-mongodb/)
      for (const span of spans) expect(span.text).toContain("'partsbus.request_id': 'traced-11112222'")
    })

    it('the fetch of a source belongs to the trace of the request, and its import has a link to it', async () => {
      const traceId = '56785678567856785678567856785678'
      const url = images.on('/traced.csv', (_request, response) => response.end(PRICES))
      const { id } = await partner.newList({ sources: [{ kind: 'url', url, is_active: false }] })
      expectStatus(await shop.admin.post(`/price-lists/${id}/sources/1/run`, undefined, traceHeaders(traceId)), 200)
      await whenSpans('pricing-import', traceId, ['source.run', 'source.fetch', 'upload.store'])
      await whenLinked('pricing-import', 'price-list.import', traceId)
    })

    it('the download of an image has a link to the trace of the batch', async () => {
      const traceId = '99990000aaaabbbbccccddddeeeeffff'
      const url = images.put('/traced.png', png(7))
      await send('/products/batch-upsert', [{ id_erp: 'traced-image', name: 'Traced', images: [{ url }] }], traceId)
      const fetchTrace = await whenLinked('catalog', 'images.fetch', traceId)
      const spans = await whenSpans('catalog', fetchTrace, ['image.download', 'GET'])
      for (const span of spans) expect(span.text).toContain("'partsbus.request_id': 'traced-99990000'")
      // many images are stored together
      const storeTrace = await whenLinked('catalog', 'images.store', fetchTrace)
      await whenSpans('catalog', storeTrace, ['S3.PutObject'])
    })

    it('the call of a supplier belongs to the trace of the search, and has no trace id in its headers', async () => {
      const traceId = '12341234123412341234123412341234'
      const { id, supplier } = await partner.newRemote('Traced supplier')
      supplier.offer({ brands: [{ brand: 'KYB', article: 'T-1', name: 'Traced', price: 7 }] })
      await partner.ask(id)
      const { body } = expectStatus(await partner.post('/get-brands', { article: 'T-1' }, traceHeaders(traceId)), 200)
      expect(body.brands).toHaveLength(1)
      const spans = await whenSpans('supplier-search', traceId, ['supplier.brands'])
      const call = spans.find(({ text }) => text.includes("'http.response.status_code': 200"))
      expect(call?.scope).toBe('partsbus')
      expect(supplier.requests.map(({ headers }) => headers['traceparent'])).toEqual([undefined])
    })

    it('log lines have the ids of request, trace and span, the API and the version', async () => {
      for (const process of ['gateway', 'catalog']) {
        const lines = await waitFor(
          async () => logLines(shop.product, process).filter((line) => line.request_id === 'traced-4bf92f35'),
          (found) => found.some((line) => line.trace_id !== undefined),
        )
        expect(lines).toContainEqual(
          expect.objectContaining({
            trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
            span_id: expect.stringMatching(/^[0-9a-f]{16}$/),
            api: 'erp',
            version: expect.stringMatching(/^\d+\.\d+\.\d+/),
          }),
        )
      }
    })

    it('every service loads the SDK (which shows that the check below can fail)', async () => {
      await partner.stop()
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
      for (const { trace_id, span_id, api } of lines)
        expect([trace_id, span_id, api]).toEqual([undefined, undefined, 'erp'])
      await shop.stop()
      const report = services(modules.read())
      expect(report).toHaveLength(SERVICES.length)
      for (const [script, files] of report)
        expect([script, files.length > 10, files.filter(isSdk)]).toEqual([script, true, []])
    })
  })
})
