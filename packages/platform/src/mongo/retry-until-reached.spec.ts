import { expect, it } from '@jest/globals'
import { AppError, texts } from '@partsbus/contracts/app-error'
import { MongoServerError, MongoServerSelectionError, type TopologyDescription } from 'mongodb'
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

it('repeats what did not end in time: a process that starts during an election waits for its end', async () => {
  const errors = [
    new AppError('OVERLOADED', texts.unavailable),
    new MongoServerError({ code: 50, message: 'operation exceeded time limit' }),
  ]
  const step = async (): Promise<string> => {
    const error = errors.shift()
    if (error === undefined) return 'reached'
    throw error
  }
  expect(await retryUntilReached(step, { warn: () => undefined })).toBe('reached')
  const refused = new MongoServerError({ code: 13, message: 'not authorized' })
  await expect(retryUntilReached(() => Promise.reject(refused), { warn: () => undefined })).rejects.toBe(refused)
})
