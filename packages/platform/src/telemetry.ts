import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { currentScope } from './call-scope.js'

/*
 * Loading the tracing SDK costs about 30 MB and half a second a process, so it is loaded only when
 * the standard OpenTelemetry variables ask for it. The API alone is free and does nothing.
 */

let shutdown: (() => Promise<void>) | undefined

/** True when the environment names an exporter or an endpoint. */
export function isTracingWanted(env: NodeJS.ProcessEnv = process.env): boolean {
  return env.OTEL_SDK_DISABLED !== 'true'
    && [env.OTEL_TRACES_EXPORTER, env.OTEL_EXPORTER_OTLP_ENDPOINT, env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT].some((value) => value !== undefined && value !== '')
}

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
      new HttpInstrumentation({ ignoreIncomingRequestHook: (request) => management.test(request.url ?? '') }),
      new MongoDBInstrumentation(),
    ],
  })
  sdk.start()
  shutdown = () => sdk.shutdown()
}

/** Sends what is still queued; an exporter that is away must not hold the exit. */
export async function stopTelemetry(deadlineMs = 2_000): Promise<void> {
  const stop = shutdown
  if (!stop) return
  shutdown = undefined
  await Promise.race([stop().catch(() => undefined), new Promise((done) => setTimeout(done, deadlineMs).unref())])
}

interface HeaderCarrier {
  get(name: string): string
  set(name: string, value: string): void
  keys(): string[]
}

/** Puts the trace context into bus headers; without a tracer what came in is passed on unchanged. */
export function injectTrace(headers: HeaderCarrier): void {
  const incoming = currentScope()?.traceparent
  if (incoming) headers.set('traceparent', incoming)
  propagation.inject(context.active(), headers, { set: (carrier, key, value) => carrier.set(key, value) })
}

/** Runs `work` in a span that continues the trace of the headers. */
export function traceMessage<T>(
  subject: string,
  kind: 'consumer' | 'client',
  headers: HeaderCarrier | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const parent = headers && kind === 'consumer'
    ? propagation.extract(context.active(), headers, { get: (carrier, key) => carrier.get(key) || undefined, keys: (carrier) => carrier.keys() })
    : context.active()
  const span = trace.getTracer('partsbus').startSpan(
    subject,
    {
      kind: kind === 'consumer' ? SpanKind.CONSUMER : SpanKind.CLIENT,
      attributes: { 'messaging.system': 'nats', 'messaging.destination.name': subject },
    },
    parent,
  )
  return context.with(trace.setSpan(parent, span), () => finish(span, work))
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
