import { describe, expect, it } from '@jest/globals'
import { createLog } from '@partsbus/platform/process/log'
import { MongoNetworkError } from 'mongodb'
import type { ImportTaskRecord } from '../import-tasks/import-task-record.js'
import { LostImport } from './import-errors.js'
import { ImportLease } from './import-lease.js'

/** Holds a lease during a step that an outage ends once. @param isStillHeld what the renewal after the outage says */
async function afterOutage(isStillHeld: boolean): Promise<{ outcome: unknown; steps: number }> {
  const lists = { renewLease: () => Promise.resolve(isStillHeld), releaseLease: () => Promise.resolve() }
  const task = { id: 1, price_list_id: 1 } as ImportTaskRecord
  const lease = new ImportLease(lists, task, 'me', 60_000, new AbortController().signal, createLog('test', 'silent'))
  let steps = 0
  const step = () => {
    steps += 1
    return steps === 1 ? Promise.reject(new MongoNetworkError('cut off')) : Promise.resolve('done')
  }
  try {
    return { outcome: await lease.retryWhileDbDown(step).catch((error: unknown) => error), steps }
  } finally {
    await lease.release()
  }
}

describe('ImportLease', () => {
  it('repeats a step after an outage', async () => {
    expect(await afterOutage(true)).toEqual({ outcome: 'done', steps: 2 })
  })

  it('does not repeat a step when another worker has taken the list over during the outage', async () => {
    expect(await afterOutage(false)).toEqual({ outcome: expect.any(LostImport), steps: 1 })
  })
})
