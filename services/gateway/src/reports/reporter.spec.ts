import { describe, expect, it } from '@jest/globals'
import { addErpBatches } from '@partsbus/contracts/administration/commands'
import { AppError } from '@partsbus/contracts/app-error'
import type { RequestOf } from '@partsbus/contracts/message'
import type { BusClient } from '@partsbus/platform/bus/client'
import { createLog } from '@partsbus/platform/process/log'
import { ErpBatchReporter } from './erp-batch-reporter.js'

const batch = (at: number) => ({ request_id: `r-${at}`, call: 'x', status: 200, duration_ms: 1, counts: null })

/** A reporter, and an administration service that is away where the test says so. */
function open() {
  const stage = { isAway: false, sent: [] as RequestOf<typeof addErpBatches>['batches'][] }
  const request = async (_command: unknown, { batches }: RequestOf<typeof addErpBatches>) => {
    stage.sent.push(batches)
    if (stage.isAway) throw new AppError('UNAVAILABLE', 'away')
    return {}
  }
  const calls = { request } as unknown as Pick<BusClient, 'request'>
  return { stage, reporter: new ErpBatchReporter(calls, createLog('gateway', 'silent')) }
}

describe('batches on their way to the list (erp.md#batch-list-2)', () => {
  it('are kept with their ids while nobody stores them, and sent in order', async () => {
    const { stage, reporter } = open()
    stage.isAway = true
    reporter.add(batch(1))
    await expect(reporter.flush()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    stage.isAway = false
    reporter.add(batch(2))
    await reporter.flush()
    const [first, second] = stage.sent
    expect(second?.map(({ request_id }) => request_id)).toEqual(['r-1', 'r-2'])
    expect(second?.[0]?.id).toBe(first?.[0]?.id)
    await reporter.flush()
    expect(stage.sent).toHaveLength(2)
  })

  it('are the latest 1,000 at most', async () => {
    const { stage, reporter } = open()
    for (let at = 1; at <= 1_001; at += 1) reporter.add(batch(at))
    await reporter.stop()
    expect([stage.sent[0]?.length, stage.sent[0]?.[0]?.request_id]).toEqual([1_000, 'r-2'])
  })
})
