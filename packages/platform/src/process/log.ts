import { type Logger, pino } from 'pino'
import { currentScope } from '../bus/call-scope.js'
import { buildInfo } from './build-info.js'
import { LogDestination } from './log-destination.js'
import { activeSpanIds } from './spans.js'

export type Log = Logger

const FLUSH_MS = 100

/**
 * Writes JSON lines to stdout, each with the service and its version, the id and the API of the request, and the ids of
 * trace and span. Credentials are never written.
 */
export function createLog(service: string, level: string): Log {
  // one write per line would cost a request more than everything else that the log does
  const destination = new LogDestination(1)
  const log = pino(
    {
      level,
      base: { service, version: buildInfo.version, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: ['authorization', '*.authorization', 'headers.cookie', '*.password', '*.token', 'token'],
        censor: '***',
      },
      mixin: () => {
        const scope = currentScope()
        return {
          ...(scope && { request_id: scope.requestId }),
          ...(scope?.api && { api: scope.api }),
          ...activeSpanIds(),
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
