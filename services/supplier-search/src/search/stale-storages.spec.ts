import { describe, expect, it } from '@jest/globals'
import { AppError } from '@partsbus/contracts/errors'
import { StaleStorages } from './stale-storages.js'
import type { AskedStorage } from './storage-answer.js'

const storage = (id: number): AskedStorage => ({ id, name: `Storage ${id}`, supplier: { kind: 'price-list' } })
const failing = (code: 'UNAVAILABLE' | 'TIMEOUT') => () => Promise.reject(new AppError(code, code))

function open() {
  let time = 0
  const remembered = new StaleStorages(() => time)
  return {
    remembered,
    passes: (ms: number) => {
      time += ms
    },
  }
}

describe('remembered storages', () => {
  it('are what was read, as long as that can be done', async () => {
    const { remembered } = open()
    for (const id of [1, 2]) expect(await remembered.read('a', async () => [storage(id)])).toEqual([storage(id)])
  })

  it('are those of the last reading while nobody answers, however long that takes', async () => {
    const { remembered, passes } = open()
    await remembered.read('a', async () => [storage(1)])
    passes(59_000)
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await remembered.read('a', failing('UNAVAILABLE'))).toEqual([storage(1)])
      passes(300_000)
    }
  })

  it('are none where the last reading was long before, or never', async () => {
    const { remembered, passes } = open()
    await remembered.read('a', async () => [storage(1)])
    passes(61_000)
    await expect(remembered.read('a', failing('UNAVAILABLE'))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await expect(remembered.read('b', failing('UNAVAILABLE'))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  it('grow old again once somebody has answered', async () => {
    const { remembered, passes } = open()
    await remembered.read('a', async () => [storage(1)])
    await remembered.read('a', failing('UNAVAILABLE'))
    passes(61_000)
    await remembered.read('b', async () => [])
    await expect(remembered.read('a', failing('UNAVAILABLE'))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  it('stand in for nobody who is only slow: the question may have to do with what is being changed', async () => {
    const { remembered } = open()
    await remembered.read('a', async () => [storage(1)])
    await expect(remembered.read('a', failing('TIMEOUT'))).rejects.toMatchObject({ code: 'TIMEOUT' })
  })

  it('are bounded in number', async () => {
    const { remembered } = open()
    for (let key = 0; key <= 1_000; key += 1) await remembered.read(`${key}`, async () => [storage(key)])
    await expect(remembered.read('0', failing('UNAVAILABLE'))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(await remembered.read('1', failing('UNAVAILABLE'))).toEqual([storage(1)])
  })
})
