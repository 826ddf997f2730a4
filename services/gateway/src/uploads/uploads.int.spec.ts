import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { acceptUpload, getPriceList, UPLOAD_BUCKET } from '@partsbus/contracts/pricing-import/commands'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { Objm, type ObjectStore, setSha256Backend } from '@nats-io/obj'
import { ask } from '../testing/send-request.js'
import { BOUNDARY, formBody, FORM_TYPE, formPartHead } from '@partsbus/test-kit/form'
import { openConnection, type RawConnection } from '../testing/raw-connection.js'
import { administer, answerCommand, openRealStage } from '../testing/gateway-stage.js'

const MIB = 1024 * 1024
const zeros = Buffer.alloc(64 * 1024)
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Bytes without garbage: how much of it there is depends on when it was collected last. */
function memoryInUse(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

let stage: Awaited<ReturnType<typeof openRealStage>>
let port: number
let token: string
let store: ObjectStore
let accepted: Array<{ file_name: string; size: number; sha256: string }> = []

beforeAll(async () => {
  setSha256Backend('native')
  stage = await openRealStage('uploads')
  port = (await stage.startGateway()).port
  token = (
    (await administer(port, 'PATCH', '/settings', { b2b_enabled: true, 'price-lists.import.max_file_size': 2 * MIB }))
      .body.b2b_token as { token: string }
  ).token
  store = await new Objm(jetstream(stage.nc)).create(UPLOAD_BUCKET.name, {
    ttl: UPLOAD_BUCKET.ttlMs * 1_000_000,
    max_bytes: UPLOAD_BUCKET.maxBytes,
  })
  answerCommand(stage.nc, getPriceList, ({ body }) => ({ id: body.id, is_active: true }))
  answerCommand(stage.nc, acceptUpload, async ({ body }) => {
    const found = await store.get(body.object)
    const hash = createHash('sha256')
    let size = 0
    for await (const chunk of found?.data ?? []) {
      hash.update(chunk)
      size += chunk.length
    }
    await store.delete(body.object)
    accepted.push({ file_name: body.file_name, size, sha256: hash.digest('hex') })
    return { task_id: accepted.length }
  })
  await stage.nc.flush()
})
afterAll(() => stage?.close())
afterEach(() => {
  accepted = []
})

const authorization = (): string => `Bearer ${token}`
const upload = async (body: Buffer) => {
  const answer = await ask(port, {
    method: 'POST',
    url: '/api/b2b/upload-price-list',
    headers: { authorization: authorization(), 'content-type': FORM_TYPE },
    body,
  })
  return [answer.statusCode, answer.json()]
}
const form = (value: Buffer) =>
  formBody([
    { name: 'document', file: 'price.csv', value },
    { name: 'id', value: '7' },
  ])
const scheduled = (task_id: number) => [
  200,
  { result: true, message: 'Price list upload scheduled for import.', task_id },
]
const notValid = { result: false, message: 'Uploaded file is not valid.' }

/** Pieces of documents in the bucket. */
async function pieces(): Promise<number> {
  const { state } = await (
    await jetstreamManager(stage.nc)
  ).streams.info(`OBJ_${UPLOAD_BUCKET.name}`, { subjects_filter: `$O.${UPLOAD_BUCKET.name}.C.>` })
  return Object.values(state.subjects ?? {}).reduce((sum, count) => sum + count, 0)
}
const isEmpty = (): Promise<boolean> => waitUntil(async () => (await pieces()) === 0, { withinMs: 20_000 })

function start(headers: string[]): Promise<RawConnection> {
  return openConnection(
    port,
    [
      'POST /api/b2b/upload-price-list HTTP/1.1',
      'Host: gateway',
      `Authorization: ${authorization()}`,
      `Content-Type: ${FORM_TYPE}`,
      ...headers,
      '',
      '',
    ].join('\r\n'),
  )
}
const chunked = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])

/** Sends as fast as the other side takes it. */
async function write({ socket }: RawConnection, bytes: Buffer): Promise<void> {
  if (socket.destroyed || !socket.writable) return
  if (socket.write(bytes)) return
  const over = new AbortController()
  await Promise.race(['drain', 'close'].map((event) => once(socket, event, over).catch(() => undefined)))
  over.abort()
}

/** A form in chunks, its document of that many bytes. */
async function sendForm(connection: RawConnection, bytes: number): Promise<void> {
  await write(connection, chunked(formPartHead({ name: 'document', file: 'zeros.csv' })))
  const chunk = chunked(zeros)
  for (let sent = 0; sent < bytes; sent += zeros.length) await write(connection, chunk)
  await write(connection, chunked(Buffer.concat([Buffer.from('\r\n'), formBody([{ name: 'id', value: '7' }])])))
  await write(connection, Buffer.from('0\r\n\r\n'))
}

describe('a document that is being uploaded (partners.md#upload)', () => {
  it.each([1, 64 * 1024, 512 * 1024, 512 * 1024 + 1, 2 * MIB])(
    'of %i bytes arrives unchanged and leaves nothing behind',
    async (size) => {
      const value = Buffer.from(Array.from({ length: size }, (_, at) => (at * 7 + (at >> 8)) % 251))
      expect(await upload(form(value))).toEqual(scheduled(1))
      expect(accepted).toEqual([
        { file_name: 'price.csv', size, sha256: createHash('sha256').update(value).digest('hex') },
      ])
      expect(await isEmpty()).toBe(true)
    },
  )

  it('with lines that look like borders of the form', async () => {
    const value = Buffer.from(`a\r\n--${BOUNDARY.slice(0, -1)}\r\n--\r\n\r\n--${BOUNDARY.slice(0, -1)}--\r\nb\r\n`)
    expect(await upload(form(value))).toEqual(scheduled(1))
    expect(accepted[0]?.sha256).toBe(createHash('sha256').update(value).digest('hex'))
  })

  it('several at once', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, (_, at) => upload(form(Buffer.alloc(MIB, String(at))))))
    expect(answers.map(([status]) => status)).toEqual([200, 200, 200, 200, 200, 200])
    expect(new Set(accepted.map(({ sha256 }) => sha256)).size).toBe(6)
    expect(await isEmpty()).toBe(true)
  })

  it('gets 100 Continue when the client waits for it', async () => {
    const body = form(Buffer.from('a;b'))
    const connection = await start([`Content-Length: ${body.length}`, 'Expect: 100-continue'])
    await connection.until(/^HTTP\/1\.1 100 Continue\r\n\r\n$/)
    connection.socket.write(body)
    expect(await connection.until(/\}$/)).toContain('HTTP/1.1 200 OK')
    connection.socket.destroy()
  })

  it('120 MB need no more memory than 10 MB', async () => {
    const peak = async (bytes: number): Promise<number> => {
      let most = memoryInUse()
      const timer = setInterval(() => {
        most = Math.max(most, memoryInUse())
      }, 500)
      const connection = await start(['Transfer-Encoding: chunked'])
      try {
        await sendForm(connection, bytes)
        expect(await connection.until(/\}$/, 60_000)).toContain('HTTP/1.1 200 OK')
      } finally {
        clearInterval(timer)
        connection.socket.destroy()
      }
      return most
    }
    await administer(port, 'PATCH', '/settings', { 'price-lists.import.max_file_size': 400 * MIB })
    try {
      const small = await peak(10 * MIB)
      const large = await peak(120 * MIB)
      expect(accepted.map(({ size }) => size)).toEqual([10 * MIB, 120 * MIB])
      expect(large - small).toBeLessThan(64 * MIB)
    } finally {
      await administer(port, 'PATCH', '/settings', { 'price-lists.import.max_file_size': 2 * MIB })
    }
  })
})

describe('a document that is not accepted leaves nothing in the bucket', () => {
  it('a form in chunks that exceeds the limit by more than 1 MiB (bad-inputs.md#input-35)', async () => {
    const connection = await start(['Transfer-Encoding: chunked'])
    const sending = sendForm(connection, 51 * MIB)
    const text = await connection.until(/\}$/)
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(text.toLowerCase()).toContain('connection: close')
    expect(text).toContain(JSON.stringify(notValid))
    expect(await connection.closed()).toBeLessThan(10_000)
    await sending
    expect(await isEmpty()).toBe(true)
  })

  it('the same with its length: rejected before its body is sent (bad-inputs.md#input-35)', async () => {
    const connection = await start([`Content-Length: ${51 * MIB}`, 'Expect: 100-continue'])
    const text = await connection.until(/\}$/)
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(text).not.toContain('100 Continue')
    expect(text).toContain(JSON.stringify(notValid))
    expect(await connection.closed()).toBeLessThan(8_000)
  })

  it('a document that is too large in a form that is not: the connection stays open', async () => {
    const connection = await start(['Transfer-Encoding: chunked'])
    await sendForm(connection, 2 * MIB + 64 * 1024)
    const text = await connection.until(/\}$/)
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(text.toLowerCase()).not.toContain('connection: close')
    expect(await isEmpty()).toBe(true)
    connection.socket.destroy()
  })

  it('a connection that breaks within the document (bad-inputs.md#input-34)', async () => {
    const connection = await start(['Transfer-Encoding: chunked'])
    await write(connection, chunked(formPartHead({ name: 'document', file: 'x.csv' })))
    for (let count = 0; count < 20; count += 1) await write(connection, chunked(zeros))
    expect(await waitUntil(async () => (await pieces()) > 0, { withinMs: 20_000 })).toBe(true)
    connection.socket.destroy()
    expect(await isEmpty()).toBe(true)
    expect(accepted).toEqual([])
  })

  it('a form that ends within the document (bad-inputs.md#input-34)', async () => {
    expect(await upload(form(Buffer.alloc(MIB)).subarray(0, MIB - 5))).toEqual([
      400,
      { result: false, message: 'The request body is not a valid multipart form.' },
    ])
    expect(await isEmpty()).toBe(true)
  })

  it('a full bucket (bad-inputs.md#input-57)', async () => {
    const manager = await jetstreamManager(stage.nc)
    const { config } = await manager.streams.info(`OBJ_${UPLOAD_BUCKET.name}`)
    await manager.streams.update(config.name, { ...config, max_bytes: MIB })
    expect(await upload(form(Buffer.alloc(2 * MIB)))).toEqual([
      500,
      { result: false, message: 'Failed to store uploaded file.' },
    ])
    expect(await isEmpty()).toBe(true)
    await manager.streams.update(config.name, { ...config, max_bytes: UPLOAD_BUCKET.maxBytes })
    expect((await upload(form(Buffer.alloc(2 * MIB))))[0]).toBe(200)
  })

  it('returns 503 when the bus goes down meanwhile, and works when it is back', async () => {
    const connection = await start(['Transfer-Encoding: chunked'])
    await write(connection, chunked(formPartHead({ name: 'document', file: 'x.csv' })))
    for (let count = 0; count < 20; count += 1) await write(connection, chunked(zeros))
    expect(await waitUntil(async () => (await pieces()) > 0, { withinMs: 20_000 })).toBe(true)
    await stage.nats.kill()
    for (let count = 0; count < 12; count += 1) await write(connection, chunked(zeros))
    await write(connection, chunked(Buffer.concat([Buffer.from('\r\n'), formBody([{ name: 'id', value: '7' }])])))
    await write(connection, Buffer.from('0\r\n\r\n'))
    const text = await connection.until(/\}$/, 15_000)
    expect(text).toMatch(/^HTTP\/1\.1 503 /)
    expect(text).toContain(JSON.stringify({ result: false, message: 'Service temporarily unavailable.' }))
    connection.socket.destroy()
    await stage.nats.restart()
    expect(await waitUntil(async () => (await upload(form(Buffer.from('a'))))[0] === 200, { withinMs: 20_000 })).toBe(
      true,
    )
  })

  it('a bus that restarts without its buckets: uploads continue', async () => {
    expect((await upload(form(Buffer.from('a'))))[0]).toBe(200)
    await stage.nats.restart({ emptied: true })
    expect(await waitUntil(async () => (await upload(form(Buffer.from('a'))))[0] === 200, { withinMs: 20_000 })).toBe(
      true,
    )
  })

  it('a deleted bucket: the next upload creates it again', async () => {
    await (await jetstreamManager(stage.nc)).streams.delete(`OBJ_${UPLOAD_BUCKET.name}`)
    expect(await upload(form(Buffer.from('a')))).toEqual([
      500,
      { result: false, message: 'Failed to store uploaded file.' },
    ])
    expect((await upload(form(Buffer.from('a'))))[0]).toBe(200)
  })
})
