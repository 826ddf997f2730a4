import { trace } from '@opentelemetry/api'
import { type Logger, pino } from 'pino'
import { currentScope } from './call-scope.js'

export type Log = Logger

/** JSON lines on stdout, each with the service, the request id and the trace id. Credentials are never written. */
export function createLog(service: string, level: string): Log {
  return pino({
    level,
    base: { service, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: ['authorization', '*.authorization', 'headers.cookie', '*.password', '*.token', 'token'], censor: '***' },
    mixin: () => {
      const scope = currentScope()
      const span = trace.getActiveSpan()?.spanContext()
      return {
        ...(scope && { request_id: scope.requestId }),
        ...(span && { trace_id: span.traceId }),
      }
    },
  })
}
