import { describe, expect, it } from '@jest/globals'
import { AppError } from '@partsbus/contracts/app-error'
import { StaleStorages } from './stale-storages.js'
import type { QueriedStorage } from './storage-answer.js'

const storage = (id: number): QueriedStorage => ({ id, name: `Storage ${id}`, supplier: { kind: 'price-list' } })
const failing = (code: 'UNAVAILABLE' | 'TIMEOUT') => () => Promise.reject(new AppError(code, code))

function open() {
  let time = 0
  const stale = new StaleStorages(() => time)
  return {
    stale,
    passes: (ms: number) => {
      time += ms
    },
  }
}

describe('StaleStorages', () => {
  it('returns what was read while reads succeed', async () => {
    const { stale } = open()
    for (const id of [1, 2]) expect(await stale.read('a', async () => [storage(id)])).toEqual([storage(id)])
  })

  it('returns the storages of the last read while the service is unavailable', async () => {
    const { stale, passes } = open()
    await stale.read('a', async () => [storage(1)])
    passes(59_000)
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await stale.read('a', failing('UNAVAILABLE'))).toEqual([storage(1)])
      passes(300_000)
    }
  })

  it('throws when the last read was more than a minute before the outage, or never', async () => {
    const { stale, passes } = open()
    await stale.read('a', async () => [storage(1)])
    passes(61_000)
    await expect(stale.read('a', failing('UNAVAILABLE'))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await expect(stale.read('b', failing('UNAVAILABLE'))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  it('ages the entries again after a read succeeded', async () => {
    const { stale, passes } = open()
    await stale.read('a', async () => [storage(1)])
    await stale.read('a', failing('UNAVAILABLE'))
    passes(61_000)
    await stale.read('b', async () => [])
    await expect(stale.read('a', failing('UNAVAILABLE'))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  it('does not replace a read that timed out', async () => {
    const { stale } = open()
    await stale.read('a', async () => [storage(1)])
    await expect(stale.read('a', failing('TIMEOUT'))).rejects.toMatchObject({ code: 'TIMEOUT' })
  })

  it('is bounded in size', async () => {
    const { stale } = open()
    for (let key = 0; key <= 1_000; key += 1) await stale.read(`${key}`, async () => [storage(key)])
    await expect(stale.read('0', failing('UNAVAILABLE'))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(await stale.read('1', failing('UNAVAILABLE'))).toEqual([storage(1)])
  })
})
