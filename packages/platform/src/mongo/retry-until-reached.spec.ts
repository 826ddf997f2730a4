import { expect, it } from '@jest/globals'
import { MongoServerSelectionError, type TopologyDescription } from 'mongodb'
import type { Log } from '../process/log.js'
import { retryUntilReached } from './retry-until-reached.js'

it('logs once why it waits for the database, and each new reason', async () => {
  const lines: unknown[] = []
  const warn = ((...line: unknown[]) => lines.push(line)) as unknown as Log['warn']
  const reasons = ['reports maximum wire version 8', 'reports maximum wire version 8', 'connect ECONNREFUSED']
  const step = async (): Promise<string> => {
    const reason = reasons.shift()
    if (reason === undefined) return 'reached'
    throw new MongoServerSelectionError(reason, {} as TopologyDescription)
  }
  expect(await retryUntilReached(step, { warn })).toBe('reached')
  expect(lines).toEqual([
    [{ reason: 'reports maximum wire version 8' }, 'waiting for the database'],
    [{ reason: 'connect ECONNREFUSED' }, 'waiting for the database'],
  ])
})
