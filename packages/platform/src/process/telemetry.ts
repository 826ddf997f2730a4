import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { type CallScope, currentScope } from '../bus/call-scope.js'

/*
 * The tracing SDK costs about 30 MB and half a second per process, so it is loaded only when the standard OpenTelemetry
 * variables request it. Without it the API does nothing.
 */

let shutdown: (() => Promise<void>) | undefined
/** Even without the SDK the API costs a few microseconds per message. */
let isTracing = false

/** True when the environment names an exporter or an endpoint. */
export function isTracingWanted(env: NodeJS.ProcessEnv = process.env): boolean {
  return (
    env.OTEL_SDK_DISABLED !== 'true' &&
    [env.OTEL_TRACES_EXPORTER, env.OTEL_EXPORTER_OTLP_ENDPOINT, env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT].some(
      (value) => value !== undefined && value !== '',
    )
  )
}

/** Attribute of every span: the id of the request that it belongs to. */
const REQUEST_ID = 'partsbus.request_id'

/** Must run before the HTTP server and the MongoDB driver are loaded, so that they can be instrumented. */
export async function startTelemetry(service: string): Promise<void> {
  if (!isTracingWanted() || shutdown) return
  const { NodeSDK } = await import('@opentelemetry/sdk-node')
  const { HttpInstrumentation } = await import('@opentelemetry/instrumentation-http')
  const { MongoDBInstrumentation } = await import('@opentelemetry/instrumentation-mongodb')
  const management = /^\/(livez|readyz|metrics)$/
  const sdk = new NodeSDK({
    serviceName: process.env.OTEL_SERVICE_NAME ?? `partsbus-${service}`,
    instrumentations: [
      new HttpInstrumentation({
        ignoreIncomingRequestHook: (request) => management.test(request.url ?? ''),
        // of an outgoing request; the server sets its own with `setSpanRequestId`
        requestHook: (span) => setRequestId(span, currentScope()?.requestId),
      }),
      new MongoDBInstrumentation({ responseHook: (span) => setRequestId(span, currentScope()?.requestId) }),
    ],
  })
  sdk.start()
  isTracing = true
  shutdown = () => sdk.shutdown()
}

/** Exports the queued spans. An exporter that does not answer must not delay the exit. */
export async function stopTelemetry(deadlineMs = 2_000): Promise<void> {
  const stop = shutdown
  if (!stop) return
  shutdown = undefined
  await Promise.race([stop().catch(() => undefined), new Promise((done) => setTimeout(done, deadlineMs).unref())])
}

interface HeaderCarrier {
  get(name: string): string
  keys(): string[]
}

/** The trace context as bus headers; without a tracer the received one is passed on unchanged. */
export function traceHeaders(scope: CallScope | undefined): ReadonlyArray<readonly [name: string, value: string]> {
  const headers = new Map<string, string>()
  if (scope?.traceparent) headers.set('traceparent', scope.traceparent)
  if (isTracing)
    propagation.inject(context.active(), headers, { set: (carrier, key, value) => carrier.set(key, value) })
  return [...headers]
}

/** Runs `work` in a span that continues the trace of the headers. */
export function traceMessage<T>(
  subject: string,
  kind: 'consumer' | 'client',
  headers: HeaderCarrier | undefined,
  work: () => Promise<T>,
  scope: CallScope | undefined = currentScope(),
): Promise<T> {
  if (!isTracing) return work()
  const parent =
    headers && kind === 'consumer'
      ? propagation.extract(context.active(), headers, {
          get: (carrier, key) => carrier.get(key) || undefined,
          keys: (carrier) => carrier.keys(),
        })
      : context.active()
  const span = trace.getTracer('partsbus').startSpan(
    subject,
    {
      kind: kind === 'consumer' ? SpanKind.CONSUMER : SpanKind.CLIENT,
      attributes: { 'messaging.system': 'nats', 'messaging.destination.name': subject },
    },
    parent,
  )
  setRequestId(span, scope?.requestId)
  return context.with(trace.setSpan(parent, span), () => finish(span, work))
}

/** Sets the request id of the active span, for a server that knows it only after its span has begun. */
export function setSpanRequestId(requestId: string): void {
  const span = isTracing ? trace.getActiveSpan() : undefined
  if (span) setRequestId(span, requestId)
}

function setRequestId(span: Span, requestId: unknown): void {
  if (typeof requestId === 'string') span.setAttribute(REQUEST_ID, requestId)
}

async function finish<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.message : String(error) })
    throw error
  } finally {
    span.end()
  }
}
