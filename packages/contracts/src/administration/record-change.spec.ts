import { describe, expect, it } from '@jest/globals'
import { AppError, type ErrorCode } from '../app-error.js'
import { type AuditLog, recordChange } from './record-change.js'

const caller = { administrator: { id: 3, name: 'anna' }, request_id: 'r1', address: '192.0.2.7' }
const log = { error: () => undefined }

/** An audit log that records its calls in order, and fails where the test wants. */
function stage(fails: { begin?: Error; complete?: Error; delete?: Error } = {}) {
  const steps: string[] = []
  const actors: string[] = []
  const step = async (name: 'begin' | 'complete' | 'delete', details: unknown): Promise<void> => {
    steps.push(details === undefined ? name : `${name} ${JSON.stringify(details)}`)
    const error = fails[name]
    if (error) throw error
  }
  const audit: AuditLog = {
    begin: async (entry) => {
      actors.push(entry.caller.administrator.name)
      return step('begin', entry.details).then(() => 'entry')
    },
    complete: (_id, details) => step('complete', details),
    delete: () => step('delete', undefined),
  }
  const run = (make: () => Promise<number>) =>
    recordChange(
      { audit, log, caller },
      {
        action: 'thing.create',
        details: { name: 'x' },
        make: async () => {
          steps.push('make')
          return make()
        },
        resultDetails: (id) => ({ id }),
      },
    )
  return { steps, actors, run }
}

describe('no change without its entry', () => {
  it('the entry is written before the change and completed after it', async () => {
    const { steps, run } = stage()
    expect(await run(async () => 7)).toBe(7)
    expect(steps).toEqual(['begin {"name":"x"}', 'make', 'complete {"name":"x","id":7}'])
  })
  it('an entry that cannot be written stops the change', async () => {
    const { steps, run } = stage({ begin: new Error('disk full') })
    await expect(run(async () => 7)).rejects.toThrow('disk full')
    expect(steps).toEqual(['begin {"name":"x"}'])
  })
  it('refuses a change while entries cannot be written', async () => {
    const { steps, run } = stage({ begin: new AppError('UNAVAILABLE', 'away') })
    await expect(run(async () => 7)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(steps).toEqual(['begin {"name":"x"}'])
  })
  it('an entry that cannot be completed does not turn a change that was made into an error', async () => {
    const { run } = stage({ complete: new Error('away now') })
    expect(await run(async () => 7)).toBe(7)
  })
})

it.each([
  ['storage.patch', { id: 3 }, 'storage', 3],
  ['price-list-source.run', { id: 7, source_id: 2 }, 'price-list', 7],
  ['session.close', { id: 'a-b' }, 'session', 'a-b'],
  ['settings.patch', {}, 'settings', null],
])('the entry of %s names what was changed', async (action, details, entity, entityId) => {
  const begun: unknown[] = []
  const audit: AuditLog = {
    begin: async (entry) => {
      begun.push(entry)
      return 'entry'
    },
    complete: async () => undefined,
    delete: async () => undefined,
  }
  await recordChange({ audit, log, caller }, { action, details, make: async () => undefined })
  expect(begun).toEqual([{ caller, action, entity, entity_id: entityId, details }])
})

it('the actor is the administrator who sent the request', async () => {
  const { actors, run } = stage()
  await run(async () => 7)
  expect(actors).toEqual(['anna'])
})

describe('a refused change', () => {
  it.each<ErrorCode>(['NOT_FOUND', 'CONFLICT', 'CONTRACT_VIOLATION', 'OVERLOADED'])('%s: taken back', async (code) => {
    const { steps, run } = stage()
    await expect(run(() => Promise.reject(new AppError(code, 'refused')))).rejects.toMatchObject({ code })
    expect(steps).toEqual(['begin {"name":"x"}', 'make', 'delete'])
  })
  it.each<ErrorCode>(['TIMEOUT', 'UNAVAILABLE', 'INTERNAL', 'TOO_LARGE'])(
    '%s: may have been done, so it stays',
    async (code) => {
      const { steps, run } = stage()
      await expect(run(() => Promise.reject(new AppError(code, 'who knows')))).rejects.toMatchObject({ code })
      expect(steps).toEqual(['begin {"name":"x"}', 'make'])
    },
  )
  it('returns its own error even when its entry cannot be deleted', async () => {
    const { run } = stage({ delete: new Error('away now') })
    await expect(run(() => Promise.reject(new AppError('CONFLICT', 'refused')))).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })
})
