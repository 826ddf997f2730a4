import { trace } from '@opentelemetry/api'
import { type Logger, pino } from 'pino'
import { currentScope } from '../bus/call-scope.js'

export type Log = Logger

/** Lines are written in blocks of this size, or after this time. A killed process loses at most one block. */
const BUFFER_BYTES = 8_192
const FLUSH_MS = 100

/**
 * Writes JSON lines to stdout, each with the service, the request id and the trace id. Credentials are never written.
 */
export function createLog(service: string, level: string): Log {
  // one write per line would cost a request more than everything else that the log does
  const destination = pino.destination({ dest: 1, sync: false, minLength: BUFFER_BYTES })
  if (level !== 'silent') {
    setInterval(() => destination.flush(), FLUSH_MS).unref()
    process.once('exit', () => flushAtExit(destination))
  }
  return pino(
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
}

function flushAtExit(destination: ReturnType<typeof pino.destination>): void {
  try {
    destination.flushSync()
  } catch {
    // nothing was written yet, or the reader of the log has gone
  }
}
