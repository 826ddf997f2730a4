import { addApiStatistics } from '@partsbus/contracts/administration/commands'
import type { RequestOf } from '@partsbus/contracts/message'
import type { BusClient } from '@partsbus/platform/bus/client'
import type { Log } from '@partsbus/platform/process/log'
import { Tallies } from '@partsbus/platform/statistics/tallies'
import type { FastifyInstance } from 'fastify'
import { onRequestEnd } from '../http/request-end.js'
import type { ApiAudience } from '@partsbus/contracts/administration/settings'
import { REPORT_TIMEOUT_MS, Reporter } from './reporter.js'

type Report = RequestOf<typeof addApiStatistics>

const SEND_EVERY_MS = 10_000

/** The requests of the ERP API and the partner API (admin.md#statistics). Counting one is an increment in memory. */
export class ApiCounter extends Reporter {
  private readonly tallies = new Tallies<'requests' | 'refused' | 'failed'>()
  private lastCalls: Partial<Record<ApiAudience, Date>> = {}

  constructor(
    private readonly calls: Pick<BusClient, 'request'>,
    log: Log,
  ) {
    super(SEND_EVERY_MS, 'statistics', log)
  }

  /** Counts every response of an API, the refusals of its authentication included. */
  countRequests(routes: FastifyInstance, api: ApiAudience): void {
    onRequestEnd(routes, (request, reply) => {
      this.count(api, { status: reply.statusCode, ms: reply.elapsedTime, isOff: request.errorCode === 'DISABLED' })
      // settings are set once a request is authenticated
      if (request.settings !== undefined) this.lastCalls[api] = new Date()
    })
  }

  protected async send(): Promise<void> {
    const tallies = this.tallies.take()
    if (tallies.length === 0) return
    const { erp, b2b } = this.lastCalls
    try {
      await this.calls.request(
        addApiStatistics,
        {
          tallies: tallies as Report['tallies'],
          last_calls: { ...(erp && { erp: erp.toISOString() }), ...(b2b && { b2b: b2b.toISOString() }) },
        },
        { timeoutMs: REPORT_TIMEOUT_MS },
      )
    } catch (error) {
      this.tallies.addBack(tallies)
      throw error
    }
  }

  private count(api: ApiAudience, { status, ms, isOff }: { status: number; ms: number; isOff: boolean }): void {
    const isRefused = isOff || (status >= 400 && status < 500)
    this.tallies.count(
      api,
      isRefused ? ['requests', 'refused'] : status >= 500 ? ['requests', 'failed'] : ['requests'],
      ms,
    )
  }
}
