import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { NodeSDK } from '@opentelemetry/sdk-node'
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace'
import { currentScope, runInScope } from '../bus/call-scope.js'
import {
  activeSpanIds,
  addSpanEvent,
  annotateSpan,
  callingSpan,
  continueTrace,
  currentRequestOrigin,
  describeServerSpan,
  enableSpans,
  failSpan,
  traceCall,
  traceDeferred,
  traceHeaders,
  traceMessage,
  traceShared,
  traceStep,
} from './spans.js'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SPAN = 'b7ad6b7169203331'
const traceparent = `00-${TRACE}-${SPAN}-01`
const request = { requestId: 'request-1', api: 'erp', traceparent }
const nothing = (): Promise<void> => Promise.resolve()

describe('without a tracer', () => {
  it('work is done without a span, and nothing is described', async () => {
    const describeStep = (): never => {
      throw new Error('described')
    }
    expect(await traceStep('step', async (span) => [span], describeStep)).toEqual([undefined])
    expect(await traceCall('call', async (span) => [span], describeStep)).toEqual([undefined])
    expect([callingSpan(), activeSpanIds()]).toEqual([undefined, undefined])
    annotateSpan('name', 'value')
    failSpan(new Error('failed'))
    addSpanEvent('event')
    describeServerSpan(request, { method: 'GET', routeOptions: {} })
  })

  it('deferred work has the scope of its request, and shared work has none', async () => {
    expect(await traceDeferred('deferred', request, async () => currentScope())).toEqual(request)
    expect(await continueTrace(request, async () => currentScope())).toEqual(request)
    const shared = (): Promise<unknown> =>
      traceShared(
        'shared',
        () => [],
        async () => currentScope(),
      )
    expect(await runInScope(request, shared)).toBeUndefined()
  })

  it('the received trace context is passed on and stored', () => {
    expect(traceHeaders(request)).toEqual([['traceparent', traceparent]])
    expect(traceHeaders({ requestId: 'request-2' })).toEqual([])
    expect(runInScope(request, currentRequestOrigin)).toEqual({ api: 'erp', traceparent })
    expect(runInScope({ requestId: 'request-2', api: '', traceparent: '' }, currentRequestOrigin)).toEqual({})
  })
})

describe('with a tracer', () => {
  const exporter = new InMemorySpanExporter()
  const instrumentation = trace.getTracer('instrumentation')
  beforeAll(() => {
    const own = { spanProcessors: [new SimpleSpanProcessor({ exporter })], metricReaders: [], logRecordProcessors: [] }
    new NodeSDK({ ...own, autoDetectResources: false }).start()
    enableSpans()
  })
  beforeEach(() => exporter.reset())

  function exported(name: string): ReadableSpan {
    const [span, ...others] = exporter.getFinishedSpans().filter((each) => each.name === name)
    if (!span || others.length > 0) throw new Error(`not one span with the name ${name}`)
    return span
  }
  const idsOf = (name: string): unknown => exported(name).attributes['partsbus.request_id']
  const parentOf = (name: string): unknown => exported(name).parentSpanContext?.spanId

  it('a step is a child of the active span', async () => {
    await traceStep('outer', () =>
      traceStep(
        'inner',
        async (span) => {
          span?.setAttribute('known', 'later')
          annotateSpan('and', 2)
        },
        () => ({ described: true }),
      ),
    )
    expect(exported('inner').attributes).toEqual({ described: true, known: 'later', and: 2 })
    expect(parentOf('inner')).toBe(exported('outer').spanContext().spanId)
    expect(parentOf('outer')).toBeUndefined()
  })

  it('a span has the request id of its parent, else that of the scope; spans of instrumentations too', async () => {
    await runInScope(request, () =>
      traceStep('outer', () =>
        runInScope(undefined, () =>
          traceCall(
            'inner',
            async () => instrumentation.startSpan('command').end(),
            () => ({}),
          ),
        ),
      ),
    )
    runInScope({ requestId: 'request-2' }, () => instrumentation.startSpan('alone').end())
    instrumentation.startSpan('of nothing').end()
    expect(['outer', 'inner', 'command', 'alone', 'of nothing'].map(idsOf)).toEqual([
      'request-1',
      'request-1',
      'request-1',
      'request-2',
      undefined,
    ])
    expect([exported('inner').kind, exported('outer').kind]).toEqual([SpanKind.CLIENT, SpanKind.INTERNAL])
  })

  it('a received message continues the trace of its headers', async () => {
    const headers = new Map([['traceparent', traceparent]])
    const carrier = { get: (name: string) => headers.get(name) ?? '', keys: () => [...headers.keys()] }
    const sent = await traceMessage('things.do', 'consumer', carrier, async () => traceHeaders(request), request)
    const { traceId, spanId } = exported('things.do').spanContext()
    expect([traceId, parentOf('things.do'), idsOf('things.do')]).toEqual([TRACE, SPAN, 'request-1'])
    expect(exported('things.do').attributes['partsbus.api']).toBe('erp')
    expect(sent).toEqual([['traceparent', `00-${TRACE}-${spanId}-01`]])
  })

  it('deferred work has a trace of its own with a link to that of its request', async () => {
    const ids = await traceStep('loop', () =>
      traceDeferred(
        'deferred',
        request,
        async () => {
          await traceStep('step', nothing)
          return activeSpanIds()
        },
        () => ({ task: 7 }),
      ),
    )
    const { traceId, spanId } = exported('deferred').spanContext()
    expect([parentOf('deferred'), traceId === TRACE, idsOf('deferred')]).toEqual([undefined, false, 'request-1'])
    expect(exported('deferred').links.map(({ context }) => [context.traceId, context.spanId])).toEqual([[TRACE, SPAN]])
    expect(exported('deferred').attributes).toMatchObject({ task: 7 })
    expect([parentOf('step'), idsOf('step')]).toEqual([spanId, 'request-1'])
    expect(ids).toEqual({ trace_id: traceId, span_id: spanId })
  })

  it('deferred work of a request that is not known, or had no trace, has no link', async () => {
    await traceDeferred('unknown', undefined, nothing)
    await traceDeferred('untraced', { requestId: 'request-2' }, nothing)
    await traceDeferred('malformed', { requestId: 'request-2', traceparent: 'nonsense' }, nothing)
    expect(['unknown', 'untraced', 'malformed'].map((name) => exported(name).links)).toEqual([[], [], []])
    expect(['unknown', 'untraced'].map(idsOf)).toEqual([undefined, 'request-2'])
  })

  it('work that completes a request belongs to its trace', async () => {
    await traceStep('of another request', () =>
      continueTrace(request, () => traceMessage('things.done', 'producer', undefined, nothing)),
    )
    expect([exported('things.done').spanContext().traceId, parentOf('things.done')]).toEqual([TRACE, SPAN])
    expect([idsOf('things.done'), exported('things.done').kind]).toEqual(['request-1', SpanKind.PRODUCER])
  })

  it('shared work has a link to each span that asked for it, and the ids of their requests', async () => {
    const callers = [undefined, ...(await Promise.all(['a', 'b', 'a'].map((requestId) => callFor(requestId))))]
    await runInScope(request, () =>
      traceShared(
        'shared',
        () => [...callers, callers.at(-1)],
        () => traceStep('write', nothing),
      ),
    )
    const linked = exported('shared').links.map(({ context }) => context.spanId)
    expect(linked).toEqual(callers.flatMap((span) => span?.spanContext().spanId ?? []))
    expect(linked).toHaveLength(3)
    expect([parentOf('shared'), idsOf('shared'), idsOf('write')]).toEqual([undefined, ['a', 'b'], ['a', 'b']])
  })

  const callFor = (requestId: string): Promise<ReturnType<typeof callingSpan>> =>
    runInScope({ requestId }, () => traceStep('caller', async () => callingSpan()))

  it('the origin that is stored names the active span', async () => {
    const origin = await runInScope(request, () => traceStep('storing', async () => currentRequestOrigin()))
    const { traceId, spanId } = exported('storing').spanContext()
    expect(origin).toEqual({ api: 'erp', traceparent: `00-${traceId}-${spanId}-01` })
  })

  it('a failed step is marked, and its error is thrown', async () => {
    await expect(traceStep('failed', () => Promise.reject(new Error('no luck')))).rejects.toThrow('no luck')
    await traceStep('handled', async () => failSpan('no luck either'))
    expect(['failed', 'handled'].map((name) => exported(name).status)).toEqual([
      { code: SpanStatusCode.ERROR, message: 'no luck' },
      { code: SpanStatusCode.ERROR, message: 'no luck either' },
    ])
  })

  it('an event divides the active span', async () => {
    await traceStep('divided', async () => addSpanEvent('begun'))
    expect(exported('divided').events.map(({ name }) => name)).toEqual(['begun'])
  })

  const routed = (method: string, url?: string) => ({ method, routeOptions: { url } })

  it('the span of a server is named after its route', async () => {
    await traceStep('POST', async () => describeServerSpan(request, routed('POST', '/things/:id')))
    await traceStep('GET', async () => describeServerSpan(request, routed('GET')))
    expect(exported('POST /things/:id').attributes).toEqual({
      'http.route': '/things/:id',
      'partsbus.api': 'erp',
      'partsbus.request_id': 'request-1',
    })
    expect(idsOf('GET')).toBe('request-1')
  })
})
