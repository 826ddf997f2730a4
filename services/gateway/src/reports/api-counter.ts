import { addApiStatistics } from '@partsbus/contracts/administration/commands'
import type { ApiAudience } from '@partsbus/contracts/administration/settings-commands'
import type { RequestOf } from '@partsbus/contracts/message'
import type { BusClient } from '@partsbus/platform/bus/client'
import type { Log } from '@partsbus/platform/process/log'
import { addTallies, type Tallies, tallyOf } from '@partsbus/platform/statistics/tallies'
import type { FastifyInstance } from 'fastify'
import { onRequestEnd } from '../http/request-end.js'
import { REPORT_TIMEOUT_MS, Reporter } from './reporter.js'

type Report = RequestOf<typeof addApiStatistics>

interface Counted {
  tallies: Tallies
  lastCalls: Report['last_calls']
}

const SEND_EVERY_MS = 10_000

/** The requests of the ERP API and the partner API (admin.md#statistics). Counting one makes no call. */
export class ApiCounter extends Reporter<Counted> {
  constructor(calls: Pick<BusClient, 'request'>, log: Log) {
    super('statistics', log, {
      everyMs: SEND_EVERY_MS,
      merge: (older, newer) => ({
        tallies: addTallies(older.tallies, newer.tallies),
        lastCalls: { ...older.lastCalls, ...newer.lastCalls },
      }),
      write: async ({ tallies, lastCalls }) => {
        const list = [...tallies].map(([subject, tally]) => ({ subject, ...tally })) as Report['tallies']
        const report = { tallies: list, last_calls: lastCalls }
        await calls.request(addApiStatistics, report, { timeoutMs: REPORT_TIMEOUT_MS })
      },
    })
  }

  /** Counts every response of an API, the refusals of its authentication included. */
  countRequests(routes: FastifyInstance, api: ApiAudience): void {
    onRequestEnd(routes, (request, reply) => {
      const { statusCode, elapsedTime } = reply
      const isRefused = request.errorCode === 'DISABLED' || (statusCode >= 400 && statusCode < 500)
      const counts = isRefused ? ['requests', 'refused'] : statusCode >= 500 ? ['requests', 'failed'] : ['requests']
      this.collect({
        tallies: tallyOf(api, counts, elapsedTime),
        // settings are set once a request is authenticated
        lastCalls: request.settings === undefined ? {} : { [api]: new Date().toISOString() },
      })
    })
  }
}
