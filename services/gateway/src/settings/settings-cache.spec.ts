import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { callSettings, defaultSettings } from '@partsbus/contracts/gateway/settings'
import { createLog } from '@partsbus/platform/process/log'
import { SettingsCache } from './settings-cache.js'
import type { StoredSettings } from './settings-store.js'

const unavailable = expect.objectContaining({ code: 'UNAVAILABLE' })
const first: StoredSettings = {
  rev: 1,
  values: { ...defaultSettings, erp_enabled: true },
  tokens: { erp: null, b2b: null },
}

/** A database whose next readings a test decides about. */
function open() {
  let stored = first
  const database = {
    away: false,
    read: async (): Promise<StoredSettings> => stored,
    reads: 0,
    renew: async () => undefined as void,
  }
  const holder = new SettingsCache({
    store: {
      read: () => {
        database.reads += 1
        return database.read()
      },
      write: async (next) => {
        if (next.rev !== stored.rev + 1) return false
        stored = next
        return true
      },
    },
    broadcast: { publish: async () => undefined, listen: () => undefined },
    registry: { id: 'this', renew: () => database.renew(), listOthers: async () => [] },
    log: createLog('gateway', 'silent'),
    isDatabaseDown: () => database.away,
  })
  return {
    holder,
    database,
    setStored: (next: StoredSettings) => {
      stored = next
    },
    getStored: () => stored,
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

  it('are refused when they could not be read for 5 s, and are back with the next reading', async () => {
    const { holder, database } = started()
    await holder.start()
    const { read } = database
    database.read = () => Promise.reject(new Error('away'))
    await jest.advanceTimersByTimeAsync(4_900)
    expect(holder.current().values.erp_enabled).toBe(true)
    await jest.advanceTimersByTimeAsync(200)
    expect(() => holder.current()).toThrow(unavailable)
    database.read = read
    await jest.advanceTimersByTimeAsync(500)
    expect(holder.current().values.erp_enabled).toBe(true)
  })

  it('stop when the registration is not being renewed, so that it can be removed', async () => {
    const { holder, database } = started()
    let renewed = (): void => undefined
    database.renew = () => new Promise<void>((done) => (renewed = done))
    void holder.start()
    let isStopped = false
    const stopped = holder.stop().then(() => (isStopped = true))
    await jest.advanceTimersByTimeAsync(1_000)
    expect(isStopped).toBe(false)
    database.renew = () => Promise.reject(new Error('renewed after the stop'))
    renewed()
    await stopped
    await holder.read()
  })

  it('were never read: refused, and the start does not fail', async () => {
    const { holder, database } = started()
    database.read = () => Promise.reject(new Error('away'))
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

  it('a reading that was on its way when a change was written does not put the old ones back', async () => {
    const { holder, database, getStored } = started()
    await holder.start()
    const old = getStored()
    let deliver: () => void = () => undefined
    const { read } = database
    database.read = () =>
      new Promise((done) => {
        deliver = () => done(old)
      })
    const late = holder.read()
    database.read = read
    await holder.patch({ erp_enabled: false })
    deliver()
    await late
    expect(holder.current().values.erp_enabled).toBe(false)
  })

  it('keeps a concurrent change of another gateway', async () => {
    const { holder, database, setStored, getStored } = started()
    await holder.start()
    const { read } = database
    database.read = async () => {
      const stored = getStored()
      database.read = read
      setStored({ ...stored, rev: stored.rev + 1, values: { ...stored.values, erp_rate_limit: 7 } })
      return stored
    }
    const { after } = await holder.patch({ retention_days: 3 })
    expect(after.values).toMatchObject({ erp_rate_limit: 7, retention_days: 3 })
    expect(after.rev).toBe(3)
  })
})

describe('tokens', () => {
  it('are stored as hash, last four characters and time (promises.md#promise-7)', async () => {
    const { holder, getStored } = started()
    await holder.start()
    const { issued } = await holder.issueToken('erp')
    expect(issued.token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(getStored().tokens.erp).toEqual({
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      last4: issued.token.slice(-4),
      issued_at: new Date(issued.issued_at),
    })
    expect(JSON.stringify(getStored())).not.toContain(issued.token)
    await holder.revokeToken('erp')
    expect(holder.current().tokenDigests.erp).toBeUndefined()
  })

  it('are not part of the settings sent to services, nor are rules of an API', async () => {
    const { holder } = started()
    await holder.start()
    await holder.issueToken('erp')
    const { call } = holder.current()
    expect(Object.keys(call).sort()).toEqual(Object.keys(callSettings.shape).sort())
    for (const own of ['erp_enabled', 'erp_allowed_ips', 'erp_rate_limit', 'tokens'])
      expect(call).not.toHaveProperty(own)
  })
})
