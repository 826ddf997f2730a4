import { tmpdir } from 'node:os'
import { describe, expect, it } from '@jest/globals'
import { AppError } from '@partsbus/contracts/app-error'
import { checkDisk } from './check-disk.js'
import { makeCheck } from './make-checks.js'

describe('a check that fails', () => {
  it.each([
    ['check-failed', 'Things could not be checked: no permission', new Error('no permission')],
    ['check-failed', 'Things could not be checked: Broken.', new AppError('INTERNAL', 'Broken.')],
    ['service-away', 'Things could not be compared with another service,', new AppError('UNAVAILABLE', 'Away.')],
    ['service-away', 'Things could not be compared with another service,', new AppError('TIMEOUT', 'Late.')],
  ])('is the finding %s: %s', async (code, message, error) => {
    const found = await makeCheck({ name: 'Things', run: () => Promise.reject(error) }, false)
    expect(found).toMatchObject([{ code, severity: 'error', message: expect.stringContaining(message) }])
  })
})

describe('a repair', () => {
  const finding = { code: 'counter-behind', severity: 'error', message: 'm', advice: 'a' } as const

  it.each([
    [true, () => Promise.resolve()],
    [false, () => Promise.reject(new Error('no'))],
  ])('tells whether it worked: %s', async (isFixed, fix) => {
    expect(await makeCheck({ name: 'x', run: async () => [{ ...finding, fix }] }, true)).toEqual([
      { ...finding, isFixed },
    ])
  })

  it('is not made unasked', async () => {
    const fix = () => Promise.reject(new Error('made'))
    expect(await makeCheck({ name: 'x', run: async () => [{ ...finding, fix }] }, false)).toEqual([finding])
  })
})

describe('a folder', () => {
  it('is full below the bytes that are wanted, and missing', async () => {
    expect(await checkDisk(tmpdir(), 1)).toEqual([])
    expect(await checkDisk(tmpdir(), Number.MAX_SAFE_INTEGER)).toMatchObject([{ code: 'disk-full' }])
    expect(await checkDisk('/nowhere')).toMatchObject([{ code: 'folder-missing' }])
  })
})
