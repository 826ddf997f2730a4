import { trace } from '@opentelemetry/api'
import { type Logger, pino } from 'pino'
import { currentScope } from '../bus/call-scope.js'
import { LogDestination } from './log-destination.js'

export type Log = Logger

const FLUSH_MS = 100

/**
 * Writes JSON lines to stdout, each with the service, the request id and the trace id. Credentials are never written.
 */
export function createLog(service: string, level: string): Log {
  // one write per line would cost a request more than everything else that the log does
  const destination = new LogDestination(1)
  const log = pino(
    {
      level,
      base: { service, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: ['authorization', '*.authorization', 'headers.cookie', '*.password', '*.token', 'token'],
        censor: '***',
      },
      mixin: () => {
        const scope = currentScope()
        const span = trace.getActiveSpan()?.spanContext()
        return {
          ...(scope && { request_id: scope.requestId }),
          ...(span && { trace_id: span.traceId }),
        }
      },
    },
    destination,
  )
  if (level !== 'silent') {
    setInterval(() => {
      destination.flush()
      const lines = destination.countDropped()
      if (lines > 0) log.warn({ lines }, 'log lines dropped')
    }, FLUSH_MS).unref()
    process.once('exit', () => destination.flushSync())
  }
  return log
}
