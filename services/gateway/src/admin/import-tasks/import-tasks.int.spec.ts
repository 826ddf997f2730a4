import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { AppError } from '@partsbus/contracts/app-error'
import {
  describeTaskFile,
  getImportTask,
  listImportTasks,
  readTaskFile,
} from '@partsbus/contracts/pricing-import/commands'
import type { AdminImportTask } from '@partsbus/contracts/pricing-import/import-task'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import { adminImportTask } from '../../testing/resources.js'
import { administer, answerCommand, openRealStage } from '../../testing/gateway-stage.js'
import { openConnection } from '../../testing/raw-connection.js'
import { ask } from '../../testing/send-request.js'

const MIB = 1024 * 1024
const admin = { authorization: 'Bearer admin-token-of-the-specs' }
const file = Buffer.from(Array.from({ length: 3 * MIB + 17 }, (_, at) => (at * 31 + (at >> 9)) % 256))

let stage: Awaited<ReturnType<typeof openRealStage>>
let gateway: Awaited<ReturnType<typeof stage.startGateway>>
let listed: object[] = []
let task: AdminImportTask
let reads = 0

beforeAll(async () => {
  stage = await openRealStage('import_tasks')
  gateway = await stage.startGateway()
  answerCommand(stage.nc, listImportTasks, ({ body }) => {
    listed.push(body)
    return { data: [adminImportTask], total: 1, page: 1, per_page: 50 }
  })
  answerCommand(stage.nc, getImportTask, ({ body }) => {
    reads += 1
    if (body.id !== task.id) throw new AppError('NOT_FOUND', 'Not found.')
    return task
  })
  answerCommand(stage.nc, describeTaskFile, ({ body }) => {
    if (body.id !== 41) throw new AppError('NOT_FOUND', 'Not found.')
    return { file_name: 'Прайс (1).csv', size: file.length, header: { row: 1, cells: ['Бренд', 'Артикул'] } }
  })
  answerCommand(
    stage.nc,
    readTaskFile,
    ({ body }) => new Uint8Array(file.subarray(body.offset, body.offset + Math.min(body.length, MIB))),
  )
  await stage.nc.flush()
})
beforeEach(() => {
  listed = []
  task = adminImportTask
})
afterAll(() => stage?.close())

const get = (path: string) => ask(gateway.port, { url: `/api/admin${path}`, headers: admin })

describe('GET /import-tasks (admin.md#import-tasks)', () => {
  const list = (query: string) => administer(gateway.port, 'GET', `/import-tasks${query}`)
  it('passes its filters on', async () => {
    expect((await list('')).status).toBe(200)
    expect((await list('?status=failed')).body).toMatchObject({ data: [adminImportTask] })
    await list('?status=failed&status=pending&source_type=ftp&price_list_id=7&from=2026-11-01&to=&page=2')
    expect(listed).toEqual([
      { page: 1, per_page: 50 },
      { page: 1, per_page: 50, statuses: ['failed'] },
      {
        page: 2,
        per_page: 50,
        price_list_id: 7,
        statuses: ['failed', 'pending'],
        source_type: 'ftp',
        from: '2026-11-01',
      },
    ])
  })
  it.each([
    [
      '?status=done',
      { status: ['The selected status is invalid. It must be pending, processing, completed or failed.'] },
    ],
    [
      '?status=failed&status=done',
      { status: ['The selected status is invalid. It must be pending, processing, completed or failed.'] },
    ],
    [
      '?source_type=fax',
      { source_type: ['The selected source_type is invalid. It must be manual, email, ftp or url.'] },
    ],
    ['?from=yesterday&to=2026-02-30', { from: ['The from is not a valid date.'], to: ['The to is not a valid date.'] }],
    ['?from=2026-11-01&from=2026-11-02', { from: ['The from must be a string.'] }],
  ])('422 for %s', async (query, errors) => {
    expect(await list(query)).toMatchObject({ status: 422, body: { errors } })
  })
  it('422 for skipped rows behind a row that is none', async () => {
    expect(await list('/41/skipped?after_row=x')).toMatchObject({
      status: 422,
      body: { errors: { after_row: ['The after_row must be an integer.'] } },
    })
  })
})

describe('GET /import-tasks/:id/file', () => {
  it('is the file byte by byte, under its own name', async () => {
    const answer = await get('/import-tasks/41/file')
    expect([answer.statusCode, answer.headers['content-length'], answer.headers['content-disposition']]).toEqual([
      200,
      String(file.length),
      "attachment; filename*=UTF-8''%D0%9F%D1%80%D0%B0%D0%B9%D1%81%20%281%29.csv",
    ])
    expect(answer.bytes.equals(file)).toBe(true)
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
  })
  it('404 for a task that does not exist', async () => {
    expect((await get('/import-tasks/42/file')).statusCode).toBe(404)
  })
})

describe('GET /import-tasks/:id/events', () => {
  const open = (port = gateway.port, more = '') =>
    openConnection(
      port,
      `GET /api/admin/import-tasks/41/events HTTP/1.1\r\nHost: gateway\r\n` +
        `Authorization: ${admin.authorization}\r\n${more}\r\n`,
    )
  it('the task at each change, until it has ended', async () => {
    const events = await open()
    const head = await events.until(/"processed_rows":18000/)
    expect(head).toMatch(/content-type: text\/event-stream; charset=utf-8/i)
    task = { ...adminImportTask, processed_rows: 30_000 }
    await events.until(/"processed_rows":30000/)
    task = { ...task, status: 'completed' }
    // the end of the chunks
    expect((await events.until(/0\r\n\r\n$/)).match(/data: /g)).toHaveLength(3)
    events.socket.destroy()
  })
  it('sends later events to a listener that reconnects, and 204 after the final state', async () => {
    const seen = (id: string) => open(gateway.port, `Last-Event-ID: ${id}\r\n`)
    const first = await open()
    const last = /id: (\w+)\n/.exec(await first.until(/data: /))?.[1] ?? ''
    first.socket.destroy()
    task = { ...adminImportTask, status: 'completed', processed_rows: 30_000 }
    const second = await seen(last)
    const rest = await second.until(/0\r\n\r\n$/)
    expect([rest.match(/data: /g)?.length, rest.includes('"status":"completed"')]).toEqual([1, true])
    const third = await seen(/id: (\w+)\n/.exec(rest)?.[1] ?? '')
    expect(await third.until(/\r\n\r\n/)).toMatch(/^HTTP\/1.1 204 /)
    third.socket.destroy()
  })
  it('many watch one import, and each gets its final state', async () => {
    const watchers = await Promise.all(Array.from({ length: 40 }, () => open()))
    await Promise.all(watchers.map((events) => events.until(/data: /)))
    task = { ...adminImportTask, status: 'failed', error_message: 'The file has no rows.' }
    for (const text of await Promise.all(watchers.map((events) => events.until(/0\r\n\r\n$/))))
      expect(text).toContain('"status":"failed"')
  })
  it('polls no more when the listener has disconnected', async () => {
    const events = await open()
    await events.until(/data: /)
    events.socket.destroy()
    let before = -1
    expect(
      await waitUntil(
        async () => {
          const quiet = reads === before
          before = reads
          return quiet
        },
        { withinMs: 20_000, everyMs: 700 },
      ),
    ).toBe(true)
  })
  it('404 for a task that does not exist, and no HEAD', async () => {
    expect((await get('/import-tasks/42/events')).statusCode).toBe(404)
    expect(
      (await ask(gateway.port, { method: 'HEAD', url: '/api/admin/import-tasks/41/events', headers: admin }))
        .statusCode,
    ).toBe(405)
  })
  it('end when the gateway stops', async () => {
    const stopping = await stage.startGateway()
    const events = await open(stopping.port)
    await events.until(/data: /)
    const startedAt = performance.now()
    await stopping.stop()
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    expect(events.text()).toMatch(/0\r\n\r\n$/)
  })
})
