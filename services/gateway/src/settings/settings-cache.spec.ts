import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { readSettings, removeGateway, type StoredSettings } from '@partsbus/contracts/administration/settings-commands'
import { callSettings, defaultSettings } from '@partsbus/contracts/administration/settings'
import type { Command } from '@partsbus/contracts/message'
import type { BusClient } from '@partsbus/platform/bus/client'
import { createLog } from '@partsbus/platform/process/log'
import { SettingsCache } from './settings-cache.js'

const unavailable = expect.objectContaining({ code: 'UNAVAILABLE' })
const first: StoredSettings = {
  rev: 1,
  values: { ...defaultSettings, erp_enabled: true },
  tokens: { erp: { sha256: 'ab', last4: 'abcd', issued_at: '2026-11-21T09:00:00.000Z' }, b2b: null },
}

/** An administration service whose next answers a test decides about. */
function open() {
  let stored = first
  const administration = {
    read: async (): Promise<StoredSettings> => stored,
    asked: [] as string[],
  }
  const request = async ({ subject }: Command): Promise<unknown> => {
    administration.asked.push(subject)
    if (subject === removeGateway.subject) return {}
    return { at: '2026-11-21T09:00:00.000Z', ...(await administration.read()) }
  }
  const holder = new SettingsCache({
    gateway: 'this',
    calls: { request } as Pick<BusClient, 'request'>,
    drain: async () => undefined,
    log: createLog('gateway', 'silent'),
  })
  return {
    holder,
    administration,
    setStored: (next: StoredSettings) => {
      stored = next
    },
  }
}

let opened: SettingsCache[]
function started() {
  const stage = open()
  opened.push(stage.holder)
  return stage
}

beforeEach(() => {
  opened = []
  jest.useFakeTimers()
})
afterEach(async () => {
  for (const holder of opened) await holder.stop()
  jest.useRealTimers()
})

describe('the settings in memory (rules.md#settings-change)', () => {
  it('are read again every half second', async () => {
    const { holder, setStored } = started()
    await holder.start()
    setStored({ ...first, rev: 2, values: { ...first.values, erp_rate_limit: 5 } })
    expect(holder.current().values.erp_rate_limit).toBeNull()
    await jest.advanceTimersByTimeAsync(500)
    expect(holder.current().values.erp_rate_limit).toBe(5)
  })

  it('are refused when they could not be read for 15 s, and are back with the next reading', async () => {
    const { holder, administration } = started()
    await holder.start()
    const { read } = administration
    administration.read = () => Promise.reject(new Error('away'))
    await jest.advanceTimersByTimeAsync(14_900)
    expect(holder.current().values.erp_enabled).toBe(true)
    await jest.advanceTimersByTimeAsync(200)
    expect(() => holder.current()).toThrow(unavailable)
    administration.read = read
    await jest.advanceTimersByTimeAsync(500)
    expect(holder.current().values.erp_enabled).toBe(true)
  })

  it('are not read after the entry of the gateway was removed', async () => {
    const { holder, administration } = started()
    await holder.start()
    let answer: () => void = () => undefined
    administration.read = () => new Promise((done) => (answer = () => done(first)))
    void holder.read()
    const stopped = holder.stop()
    await jest.advanceTimersByTimeAsync(0)
    expect(administration.asked.at(-1)).toBe(readSettings.subject)
    answer()
    await stopped
    await expect(holder.read()).rejects.toThrow(unavailable)
    await jest.advanceTimersByTimeAsync(2_000)
    expect(administration.asked.at(-1)).toBe(removeGateway.subject)
  })

  it('are not waited for after a read has failed', async () => {
    const { holder, administration } = started()
    await holder.start()
    administration.read = () => Promise.reject(new Error('away'))
    await jest.advanceTimersByTimeAsync(1_500)
    const asked = administration.asked.length
    expect(holder.fresh()).toBe(holder.current())
    expect(administration.asked).toHaveLength(asked)
  })

  it('were never read: refused, and the start does not fail', async () => {
    const { holder, administration } = started()
    administration.read = () => Promise.reject(new Error('away'))
    await holder.start()
    expect(() => holder.current()).toThrow(unavailable)
  })

  it('are read before they are used after the process was frozen', async () => {
    const { holder, setStored } = started()
    await holder.start()
    setStored({ ...first, rev: 2, values: { ...first.values, erp_enabled: false } })
    // the clock went on, the timers did not
    jest.setSystemTime(Date.now() + 1_001)
    const now = performance.now()
    jest.spyOn(performance, 'now').mockImplementation(() => now + 1_001)
    expect((await holder.fresh()).values.erp_enabled).toBe(false)
    jest.spyOn(performance, 'now').mockRestore()
  })

  it('a reading that was on its way when a change was acknowledged does not put the old ones back', async () => {
    const { holder, administration, setStored } = started()
    await holder.start()
    let deliver: () => void = () => undefined
    const { read } = administration
    administration.read = () => new Promise((done) => (deliver = () => done(first)))
    const late = holder.read()
    administration.read = read
    setStored({ ...first, rev: 2, values: { ...first.values, erp_enabled: false } })
    await holder.read()
    deliver()
    await late
    expect(holder.current().values.erp_enabled).toBe(false)
  })

  it('sent to services have no tokens, nor rules of an API', async () => {
    const { holder } = started()
    await holder.start()
    const { call } = holder.current()
    expect(Object.keys(call).sort()).toEqual(Object.keys(callSettings.shape).sort())
    for (const own of ['erp_enabled', 'erp_allowed_ips', 'erp_rate_limit', 'tokens'])
      expect(call).not.toHaveProperty(own)
  })
})
