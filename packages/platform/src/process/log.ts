import { trace } from '@opentelemetry/api'
import { type Logger, pino } from 'pino'
import { currentScope } from '../bus/call-scope.js'

export type Log = Logger

/** Lines are written together when there are this many bytes, or after this time; a process that is killed loses no more. */
const BUFFER_BYTES = 8_192
const FLUSH_MS = 100

/** JSON lines on stdout, each with the service, the request id and the trace id. Credentials are never written. */
export function createLog(service: string, level: string): Log {
  // a write a line costs a request more than all else that the log does
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
    // nothing was written, or nobody reads any more
  }
}
