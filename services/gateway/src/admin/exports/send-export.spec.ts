import type { Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { AppError } from '@partsbus/contracts/app-error'
import { closeExport, exportOffers, exportSkipped, readExport } from '@partsbus/contracts/pricing-import/commands'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { openConnection } from '../../testing/raw-connection.js'
import { type AskedCall, openStubApp } from '../../testing/stub-app.js'

jest.setTimeout(60_000)

const admin = { authorization: 'Bearer admin-token-of-the-specs' }
const CHUNK = Buffer.alloc(64 * 1024, 'x')

let stub: Awaited<ReturnType<typeof openStubApp>>
/** makes each chunk of an export, by its number from 0; undefined: it has ended */
let chunk: (at: number) => Uint8Array | undefined
/** what chunks wait for */
let held: Promise<void>
let opened: object[]
/** chunks that were asked for, of each export */
let reads: Map<string, number>
let closed: string[]
const sockets: Socket[] = []

async function answer({ subject, body: text }: AskedCall): Promise<Uint8Array | string> {
  const body = JSON.parse(text)
  if (subject === exportOffers.subject || subject === exportSkipped.subject) {
    if (body.id !== 7) throw new AppError('NOT_FOUND', 'Not found.')
    opened.push(body)
    const export_id = `export-${opened.length}`
    return JSON.stringify({ process: 'one', export_id, file_name: 'p.csv', media_type: 'text/csv' })
  }
  if (subject === closeExport.subject) closed.push(body.export_id)
  if (subject !== readExport.subject) return '{}'
  const at = reads.get(body.export_id) ?? 0
  reads.set(body.export_id, at + 1)
  await held
  return chunk(at) ?? new Uint8Array()
}

beforeAll(async () => {
  stub = await openStubApp({ answer })
})
beforeEach(() => {
  chunk = (at) => [Buffer.from('one;'), CHUNK, Buffer.from(';three')][at]
  held = Promise.resolve()
  opened = []
  reads = new Map()
  closed = []
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(() => stub?.close())

const get = (path: string) => stub.ask({ url: `/api/admin${path}`, headers: admin })
async function startDownload(format: string): Promise<Socket> {
  const { socket } = await openConnection(
    stub.port,
    `GET /api/admin/price-lists/7/offers.${format} HTTP/1.1\r\n` +
      `Host: gateway\r\nAuthorization: ${admin.authorization}\r\n\r\n`,
  )
  sockets.push(socket)
  return socket
}
const readsOfAll = () => [...reads.values()].reduce((sum, count) => sum + count, 0)

describe('downloads of offers and of skipped rows', () => {
  it('go on after a chunk that a busy service refused (rules.md#overload)', async () => {
    let isRefused = false
    const chunks = chunk
    chunk = (at) => {
      if (at === 1 && !isRefused) {
        isRefused = true
        reads.set('export-1', 1)
        throw new AppError('OVERLOADED', 'busy')
      }
      return chunks(at)
    }
    const { statusCode, body } = await get('/price-lists/7/offers.csv')
    expect([statusCode, isRefused, body]).toEqual([200, true, `one;${CHUNK.toString()};three`])
  })

  it('take the filters of the list (admin.md#offer-files)', async () => {
    expect((await get('/price-lists/7/offers.csv?article=00-1&brand=bosch&price_to=9.5')).statusCode).toBe(200)
    expect(opened).toEqual([{ id: 7, format: 'csv', article: '00-1', brand: 'bosch', price_to: 9.5 }])
    expect((await get(`/price-lists/7/offers.xlsx?article=${'x'.repeat(192)}`)).statusCode).toBe(422)
    expect(opened).toHaveLength(1)
  })

  it('are limited by reason, and to the rows that a correction can help (admin.md#skipped-files)', async () => {
    await get('/import-tasks/7/skipped.csv?code=BAD_PRICE')
    await get('/import-tasks/7/skipped.xlsx?correctable=true')
    expect(opened).toEqual([
      { id: 7, format: 'csv', code: 'BAD_PRICE' },
      { id: 7, format: 'xlsx', correctable: true },
    ])
    expect((await get('/import-tasks/7/skipped.csv?correctable=yes')).statusCode).toBe(422)
  })

  it.each(['csv', 'xlsx'])('404 for an unknown list or import (%s)', async (format) => {
    expect((await get(`/price-lists/9/offers.${format}`)).statusCode).toBe(404)
    expect((await get(`/import-tasks/9/skipped.${format}`)).statusCode).toBe(404)
  })

  it.each(['csv', 'xlsx'])('answer a failure before the first bytes (%s)', async (format) => {
    chunk = () => {
      throw new AppError('CONFLICT', 'Version 41 is no longer kept.')
    }
    const { statusCode, body } = await get(`/price-lists/7/offers.${format}`)
    expect([statusCode, JSON.parse(body)]).toEqual([409, { message: 'Version 41 is no longer kept.', by: [] }])
    expect(closed).toEqual(['export-1'])
  })

  // admin.md#offer-files
  it.each(['csv', 'xlsx'])('close the connection when the service fails before the end (%s)', async (format) => {
    chunk = (at) => {
      if (at === 2) throw new AppError('CONFLICT', 'Version 41 is no longer kept.')
      return CHUNK
    }
    await expect(get(`/price-lists/7/offers.${format}`)).rejects.toThrow()
  })

  it('are closed when their client goes away before the first bytes', async () => {
    let proceed: () => void = () => undefined
    held = new Promise((resolve) => {
      proceed = resolve
    })
    for (let round = 1; round <= 4; round++) {
      const socket = await startDownload('csv')
      await waitFor(
        async () => reads.size,
        (count) => count === round,
      )
      socket.destroy()
    }
    proceed()
    await waitFor(
      async () => closed.length,
      (count) => count === 4,
    )
    expect(new Set(closed).size).toBe(4)
    expect((await get('/price-lists/7/offers.csv')).statusCode).toBe(200)
  })

  // admin.md#offer-files
  it.each(['csv', 'xlsx'])('are read no faster than they are received, and no longer (%s)', async (format) => {
    chunk = () => CHUNK
    const socket = await startDownload(format)
    socket.pause()
    let before = -1
    const isQuiet = async () => {
      const quiet = readsOfAll() > 1 && readsOfAll() === before
      before = readsOfAll()
      return quiet
    }
    // what the buffers of the socket hold is read as well
    await waitFor(isQuiet, Boolean, 60_000, 1_000)
    expect(readsOfAll()).toBeLessThan(1_000)
    socket.destroy()
    const count = readsOfAll()
    await waitFor(isQuiet, Boolean, 20_000, 1_000)
    expect(readsOfAll() - count).toBeLessThan(10)
    const ended = await waitFor(
      async () => closed,
      ({ length }) => length > 0,
    )
    expect(ended).toEqual(['export-1'])
  })
})
