import { enableSpans } from './spans.js'

/*
 * The tracing SDK costs about 30 MB and half a second per process, so it is loaded only when the standard OpenTelemetry
 * variables request it. Without it the API does nothing.
 */

let shutdown: (() => Promise<void>) | undefined

/** True when the environment names an exporter or an endpoint. */
export function isTracingWanted(env: NodeJS.ProcessEnv = process.env): boolean {
  return (
    env.OTEL_SDK_DISABLED !== 'true' &&
    [env.OTEL_TRACES_EXPORTER, env.OTEL_EXPORTER_OTLP_ENDPOINT, env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT].some(
      (value) => value !== undefined && value !== '',
    )
  )
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
  enableSpans()
  shutdown = () => sdk.shutdown()
}

/** Exports the queued spans. An exporter that does not answer must not delay the exit. */
export async function stopTelemetry(deadlineMs = 2_000): Promise<void> {
  const stop = shutdown
  if (!stop) return
  shutdown = undefined
  await Promise.race([stop().catch(() => undefined), new Promise((done) => setTimeout(done, deadlineMs).unref())])
}
