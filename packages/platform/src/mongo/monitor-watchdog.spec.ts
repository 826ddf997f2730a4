import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { MongoClient } from 'mongodb'
import { createLog } from '../process/log.js'
import { MonitorWatchdog } from './monitor-watchdog.js'

class RecordingClient extends EventEmitter {
  readonly calls: string[] = []

  async close(): Promise<void> {
    this.calls.push('close')
  }

  async connect(): Promise<void> {
    this.calls.push('connect')
  }
}

describe('the watchdog of the database monitor (promises.md#promise-5)', () => {
  let client: RecordingClient
  let watchdog: MonitorWatchdog
  let now = 0
  let isDown = true

  beforeEach(() => {
    now = 0
    isDown = true
    client = new RecordingClient()
    const log = createLog('test', 'silent')
    watchdog = new MonitorWatchdog(
      client as unknown as MongoClient,
      () => isDown,
      log,
      () => now,
    )
  })
  afterEach(() => watchdog.stop())

  it('connects again when the database is down and the monitor is silent', async () => {
    now = 3_000
    await watchdog.check()
    expect(client.calls).toEqual(['close', 'connect'])
  })

  it.each(['serverHeartbeatStarted', 'serverHeartbeatSucceeded', 'serverHeartbeatFailed'])(
    'leaves a monitor alone after %s',
    async (event) => {
      now = 2_900
      client.emit(event, { connectionId: 'a:27017' })
      now = 5_800
      await watchdog.check()
      expect(client.calls).toEqual([])
    },
  )

  describe('of a replica set without a known primary', () => {
    const hear = (...addresses: string[]) => {
      for (const connectionId of addresses) client.emit('serverHeartbeatSucceeded', { connectionId })
    }

    it('connects again when the monitor of one member is silent', async () => {
      hear('a:27017', 'b:27017')
      for (now = 1_000; now < 8_000; now += 1_000) {
        hear('b:27017')
        await watchdog.check()
      }
      expect(client.calls).toEqual([])
      hear('b:27017')
      await watchdog.check()
      expect(client.calls).toEqual(['close', 'connect'])
    })

    it('does not wait for a member that was removed', async () => {
      hear('a:27017', 'b:27017')
      client.emit('serverClosed', { address: 'a:27017' })
      for (now = 1_000; now < 20_000; now += 1_000) {
        hear('b:27017')
        await watchdog.check()
      }
      expect(client.calls).toEqual([])
    })
  })

  it('leaves a silent monitor alone while the database is up', async () => {
    isDown = false
    now = 60_000
    await watchdog.check()
    expect(client.calls).toEqual([])
  })

  it('tries again after another silence when the database was not reached', async () => {
    client.connect = () => Promise.reject(new Error('refused'))
    now = 3_000
    await watchdog.check()
    now = 5_900
    await watchdog.check()
    expect(client.calls).toEqual(['close'])
    now = 6_000
    await watchdog.check()
    expect(client.calls).toEqual(['close', 'close'])
  })
})
