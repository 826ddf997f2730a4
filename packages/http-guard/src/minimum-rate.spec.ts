import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import { type RateWatch, watchMinimumRate } from './minimum-rate.js'

/** 16 KiB/s over this window are 1,638 bytes. */
const WINDOW_MS = 100

let close: () => void = () => undefined
afterEach(() => close())

/** A request whose body of 1 MB is arriving. */
async function open(receive: (request: IncomingMessage) => void, windowMs = WINDOW_MS) {
  let watch: RateWatch | undefined
  let request: IncomingMessage | undefined
  const server = createServer((received) => {
    request = received.on('error', () => undefined)
    receive(received)
    watch = watchMinimumRate(received, windowMs)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
  client.on('error', () => undefined).write('POST / HTTP/1.1\r\nHost: server\r\nContent-Length: 1000000\r\n\r\n')
  close = () => {
    watch?.stop()
    client.destroy()
    server.close()
  }
  await waitUntil(() => watch !== undefined, { withinMs: 20_000 })
  return { client, request: () => request as IncomingMessage, signal: (watch as unknown as RateWatch).signal }
}

describe('the minimum rate of a body', () => {
  it('refuses a body that stalls (partners.md#upload-7)', async () => {
    const { signal } = await open((request) => request.resume())
    expect(await waitUntil(() => signal.aborted, { withinMs: 20_000 })).toBe(true)
    expect(signal.reason).toMatchObject({ code: 'TOO_SLOW' })
  })

  it('accepts a body that arrives at the minimum rate', async () => {
    // long, so that a moment in which this process does not run is no stall
    const windowMs = 1_000
    const { client, signal } = await open((request) => request.resume(), windowMs)
    const enoughAt = performance.now() + 2.5 * windowMs
    await waitUntil(
      () => {
        client.write(Buffer.alloc(2_000))
        return performance.now() >= enoughAt
      },
      { withinMs: 20_000, everyMs: 20 },
    )
    expect(signal.aborted).toBe(false)
  })

  it('does not count time during which the gateway reads nothing itself', async () => {
    const { request, signal } = await open((received) => received.pause())
    let checks = 0
    await waitUntil(() => (checks += 1) >= 10, { withinMs: 20_000, everyMs: WINDOW_MS / 2 })
    expect(signal.aborted).toBe(false)
    request().resume()
    expect(await waitUntil(() => signal.aborted, { withinMs: 20_000 })).toBe(true)
  })

  it('does not count a pause that follows a resumption before its event', async () => {
    // as a pipe does whose target is full again at once; the event of the resumption comes last
    const { request, signal } = await open((received) => received.pause().resume().pause())
    let checks = 0
    await waitUntil(() => (checks += 1) >= 10, { withinMs: 20_000, everyMs: WINDOW_MS / 2 })
    expect([request().isPaused(), signal.aborted]).toEqual([true, false])
  })

  it('counts the rest of a window in which the gateway paused for a moment (partners.md#upload-7)', async () => {
    const { request, signal } = await open((received) => received.resume())
    const isRefused = (): boolean => {
      request().pause().resume()
      return signal.aborted
    }
    expect(await waitUntil(isRefused, { withinMs: 5_000, everyMs: WINDOW_MS / 4 })).toBe(true)
  })
})
