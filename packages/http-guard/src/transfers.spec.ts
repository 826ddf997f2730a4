import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import { Transfers } from './transfers.js'

const MIB = 1024 * 1024

let server: ReturnType<typeof createServer>
let accepted: Socket[]
let clients: Socket[]

beforeEach(async () => {
  accepted = []
  clients = []
  server = createServer((socket) => {
    socket.on('error', () => undefined)
    accepted.push(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  for (const socket of [...clients, ...accepted]) socket.destroy()
  server.close()
})

/** A connection whose client reads everything, or nothing. */
async function open(isReading: boolean): Promise<Socket> {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.on('error', () => undefined)
  if (isReading) client.resume()
  else client.pause()
  clients.push(client)
  const count = accepted.length
  await waitUntil(() => accepted.length > count, { withinMs: 20_000 })
  return accepted[count] as Socket
}

describe('transfers', () => {
  it('refuse a new one when no memory is left and none is slow', async () => {
    const transfers = new Transfers({ bytes: 2 * MIB })
    const end = transfers.start(await open(true), 2 * MIB)
    const next = await open(true)
    expect(() => transfers.start(next, 1)).toThrow(expect.objectContaining({ code: 'OVERLOADED' }))
    end()
    end()
    transfers.start(next, 2 * MIB)()
  })

  it('close the slowest one for a new one when no memory is left', async () => {
    const transfers = new Transfers({ bytes: 2 * MIB })
    const slow = await open(false)
    transfers.start(slow, MIB)
    const fast = await open(true)
    transfers.start(fast, MIB)
    const feeding = setInterval(() => fast.write(Buffer.alloc(MIB)), 20)
    const next = await open(true)
    const isAdmitted = await waitUntil(
      () => {
        try {
          transfers.start(next, MIB)
          return true
        } catch {
          return false
        }
      },
      { withinMs: 20_000 },
    )
    clearInterval(feeding)
    expect([isAdmitted, slow.destroyed, fast.destroyed]).toEqual([true, true, false])
  })

  it('refuse one that is above the share of its caller while others are served', async () => {
    const transfers = new Transfers({ bytes: 4 * MIB, ofOne: 2 * MIB })
    const [one, other] = [await open(true), await open(true)]
    const end = transfers.start(one, 2 * MIB, { caller: 'a' })
    expect(() => transfers.start(one, 1, { caller: 'a' })).toThrow(expect.objectContaining({ code: 'OVERLOADED' }))
    transfers.start(other, 2 * MIB, { caller: 'b' })
    expect(() => transfers.start(other, 1)).toThrow(expect.objectContaining({ code: 'OVERLOADED' }))
    end()
    transfers.start(one, 2 * MIB, { caller: 'a' })
  })

  it('begin beyond the memory when they must, and end with their connection', async () => {
    const transfers = new Transfers({ bytes: MIB })
    const [one, other] = [await open(true), await open(true)]
    for (let count = 0; count < 20; count += 1) transfers.start(one, MIB, { mustStart: true })
    expect(one.listenerCount('close')).toBeLessThan(5)
    expect(() => transfers.start(other, 1)).toThrow(expect.objectContaining({ code: 'OVERLOADED' }))
    one.destroy()
    await new Promise((resolve) => one.once('close', resolve))
    transfers.start(other, MIB)
  })
})
