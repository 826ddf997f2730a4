import {
  type Attributes,
  type Context,
  context,
  type Link,
  propagation,
  type ProxyTracerProvider,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api'
import { type CallScope, currentScope, runInScope } from '../bus/call-scope.js'

/*
 * Spans of requests, and of the work that requests cause. Without a tracer each function only does the work: even the
 * API without an SDK costs a few microseconds each time.
 */
let tracer: Tracer | undefined

/** Attribute of every span: the id of the request that it belongs to; several for work that many have asked for. */
const REQUEST_ID = 'partsbus.request_id'
/** Attribute of the spans of a request: the API that it came to. */
const API = 'partsbus.api'

type RequestId = string | string[]
const requestIds = new WeakMap<Span, RequestId>()

/** What is stored of a request with work that is done after it. */
export type RequestOrigin = Pick<CallScope, 'api' | 'traceparent'>

type Header = readonly [name: string, value: string]
const NO_HEADERS: readonly Header[] = []

interface HeaderCarrier {
  get(name: string): string
  keys(): string[]
}

/** Starts to make spans, with the tracer provider that is registered. */
export function enableSpans(): void {
  // the API registers a proxy; tracers that instrumentations have got already belong to it too
  const proxy = trace.getTracerProvider() as ProxyTracerProvider
  const provider = proxy.getDelegate()
  proxy.setDelegate({ getTracer: (...names) => withRequestIds(provider.getTracer(...names)) })
  tracer = trace.getTracer('partsbus')
}

/** A tracer whose spans have the request id of their parent, or of the current scope. */
function withRequestIds(inner: Tracer): Tracer {
  const outer = Object.create(inner) as Tracer
  outer.startSpan = (name, options, parent = context.active()) => {
    const span = inner.startSpan(name, options, parent)
    const cause = options?.root ? undefined : trace.getSpan(parent)
    labelSpan(span, (cause && requestIds.get(cause)) ?? currentScope()?.requestId)
    return span
  }
  return outer
}

function labelSpan(span: Span, requestId: RequestId | undefined): void {
  // empty: the work belongs to no request
  if (requestId === undefined || requestId.length === 0) return
  requestIds.set(span, requestId)
  span.setAttribute(REQUEST_ID, requestId)
}

/** The ids of the active span, for the log. */
export function activeSpanIds(): { trace_id: string; span_id: string } | undefined {
  const active = tracer && trace.getActiveSpan()?.spanContext()
  return active && { trace_id: active.traceId, span_id: active.spanId }
}

/** The trace context as bus headers; without a tracer the received one is passed on unchanged. */
export function traceHeaders(scope: CallScope | undefined): readonly Header[] {
  if (!tracer) return scope?.traceparent ? [['traceparent', scope.traceparent]] : NO_HEADERS
  const headers = new Map<string, string>()
  if (scope?.traceparent) headers.set('traceparent', scope.traceparent)
  propagation.inject(context.active(), headers, { set: (carrier, key, value) => carrier.set(key, value) })
  return [...headers]
}

/** The origin of the current request, to be stored with work that is done after it. */
export function currentRequestOrigin(): RequestOrigin {
  const scope = currentScope()
  const traceparent = traceHeaders(scope).find(([name]) => name === 'traceparent')?.[1]
  return { ...(scope?.api && { api: scope.api }), ...(traceparent && { traceparent }) }
}

const messageKinds = { consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT, producer: SpanKind.PRODUCER }

/** Runs `work` in the span of a message; that of a consumer continues the trace of the headers. */
export function traceMessage<T>(
  subject: string,
  kind: keyof typeof messageKinds,
  headers: HeaderCarrier | undefined,
  work: () => Promise<T>,
  scope: CallScope | undefined = currentScope(),
): Promise<T> {
  if (!tracer) return work()
  const parent =
    headers && kind === 'consumer'
      ? propagation.extract(context.active(), headers, {
          get: (carrier, key) => carrier.get(key) || undefined,
          keys: (carrier) => carrier.keys(),
        })
      : context.active()
  const attributes: Attributes = { 'messaging.system': 'nats', 'messaging.destination.name': subject }
  if (scope?.api) attributes[API] = scope.api
  return runSpan(tracer, parent, subject, { kind: messageKinds[kind], attributes }, (span) => {
    labelSpan(span, scope?.requestId)
    return work()
  })
}

/**
 * Runs one step of the work on a request in a span of its own.
 * @param work gets the span, for attributes that are known later; undefined without a tracer
 */
export function traceStep<T>(name: string, work: (span?: Span) => Promise<T>, describe?: () => Attributes): Promise<T> {
  if (!tracer) return work()
  return runSpan(tracer, context.active(), name, { attributes: describe?.() }, work)
}

/** A step that took no time, as a span of its own. */
export function recordStep(name: string, describe: () => Attributes): void {
  tracer?.startSpan(name, { attributes: describe() }).end()
}

/** Runs a request to a foreign server in a span of its own. @param work as in {@link traceStep} */
export function traceCall<T>(name: string, work: (span?: Span) => Promise<T>, describe: () => Attributes): Promise<T> {
  if (!tracer) return work()
  return runSpan(tracer, context.active(), name, { kind: SpanKind.CLIENT, attributes: describe() }, work)
}

/**
 * Runs work that a request has caused and that is done after it: in the scope of the request, and in a trace of its own
 * with a link to that of the request.
 * @param scope undefined when the request is not known
 */
export function traceDeferred<T>(
  name: string,
  scope: CallScope | undefined,
  work: () => Promise<T>,
  describe?: () => Attributes,
): Promise<T> {
  return runInScope(scope, () => {
    if (!tracer) return work()
    const links = scope?.traceparent ? linksTo(scope.traceparent) : []
    return runSpan(tracer, ROOT_CONTEXT, name, { root: true, links, attributes: describe?.() }, work)
  })
}

/** Runs work that completes a request after it was answered, in the scope and the trace of the request. */
export function continueTrace<T>(scope: CallScope | undefined, work: () => Promise<T>): Promise<T> {
  return runInScope(scope, () => {
    if (!tracer || !scope?.traceparent) return work()
    return context.with(propagation.extract(ROOT_CONTEXT, { traceparent: scope.traceparent }), work)
  })
}

/** The span that asks for shared work, for {@link traceShared}; undefined without a tracer. */
export function callingSpan(): Span | undefined {
  return tracer && trace.getActiveSpan()
}

/**
 * Runs work that is done for many requests at once: in the scope of none of them, and in a trace of its own with a link
 * to each of theirs.
 */
export function traceShared<T>(
  name: string,
  callers: () => ReadonlyArray<Span | undefined>,
  work: () => Promise<T>,
): Promise<T> {
  return runInScope(undefined, () => {
    if (!tracer) return work()
    const spans = [...new Set(callers())].flatMap((span) => span ?? [])
    const links = spans.map((span) => ({ context: span.spanContext() }))
    const ids = [...new Set(spans.flatMap((span) => requestIds.get(span) ?? []))]
    return runSpan(tracer, ROOT_CONTEXT, name, { root: true, links }, (span) => {
      labelSpan(span, ids.length > 1 ? ids : ids[0])
      return work()
    })
  })
}

/** Sets an attribute of the active span. */
export function annotateSpan(name: string, value: string | number): void {
  if (tracer) trace.getActiveSpan()?.setAttribute(name, value)
}

/** Adds an event to the active span: a moment that divides it. */
export function addSpanEvent(name: string): void {
  if (tracer) trace.getActiveSpan()?.addEvent(name)
}

/** Marks the active span as failed, for work that handles its errors itself. */
export function failSpan(error: unknown): void {
  const span = tracer && trace.getActiveSpan()
  if (span) setFailed(span, error)
}

/** What a server span shows of a request. */
interface RoutedRequest {
  readonly method: string
  readonly routeOptions: { readonly url?: string | undefined }
}

/** Describes the active span, which a server began before it knew anything of the request. */
export function describeServerSpan(scope: CallScope, request: RoutedRequest): void {
  const span = tracer && trace.getActiveSpan()
  if (!span) return
  labelSpan(span, scope.requestId)
  if (scope.api) span.setAttribute(API, scope.api)
  const { url } = request.routeOptions
  if (url === undefined) return
  span.setAttribute('http.route', url)
  span.updateName(`${request.method} ${url}`)
}

function linksTo(traceparent: string): Link[] {
  const linked = trace.getSpanContext(propagation.extract(ROOT_CONTEXT, { traceparent }))
  return linked ? [{ context: linked }] : []
}

function runSpan<T>(
  by: Tracer,
  parent: Context,
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const span = by.startSpan(name, options, parent)
  return context.with(trace.setSpan(parent, span), () => finish(span, work))
}

async function finish<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await work(span)
  } catch (error) {
    setFailed(span, error)
    throw error
  } finally {
    span.end()
  }
}

function setFailed(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.message : String(error) })
}
