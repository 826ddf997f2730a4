import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { AppError } from '@partsbus/contracts/errors'
import type { AdminImportTask } from '@partsbus/contracts/pricing-import/import-task'
import {
  acceptPreviewed,
  acceptUpload,
  describeTaskFile,
  getImportTask,
  getPriceList,
  listImportTasks,
  listSkippedRows,
  previewStored,
  previewUpload,
  readTaskFile,
  testSource,
  UPLOAD_BUCKET,
} from '@partsbus/contracts/pricing-import/commands'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import { jetstreamManager } from '@nats-io/jetstream'
import { adminImportTask, preview, skippedRow, sourceTest } from '../../openapi/examples/pricing-examples.js'
import { ask } from '../../testing/send-request.js'
import { formBody, type FormPart, FORM_TYPE } from '@partsbus/test-kit/form'
import { openConnection } from '../../testing/raw-connection.js'
import { administer, answerCommand, openRealStage } from '../../testing/gateway-stage.js'

const MIB = 1024 * 1024
const admin = { authorization: 'Bearer admin-token-of-the-specs' }
const file = Buffer.from(Array.from({ length: 3 * MIB + 17 }, (_, at) => (at * 31 + (at >> 9)) % 256))

let stage: Awaited<ReturnType<typeof openRealStage>>
let gateway: Awaited<ReturnType<typeof stage.startGateway>>
let accept: (asked: object) => unknown
let previewed: object[] = []
let listed: object[] = []
let task: AdminImportTask
let reads = 0

beforeAll(async () => {
  stage = await openRealStage('price_list_files')
  gateway = await stage.startGateway()
  answerCommand(stage.nc, getPriceList, ({ body }) => {
    if (body.id !== 7) throw new AppError('NOT_FOUND', 'Not found.')
    return { id: 7, is_active: true }
  })
  answerCommand(stage.nc, acceptUpload, ({ body }) => accept(body))
  answerCommand(stage.nc, acceptPreviewed, ({ body }) => accept(body))
  for (const command of [previewUpload, previewStored])
    answerCommand(stage.nc, command, ({ body }) => {
      previewed.push(body)
      return preview
    })
  answerCommand(stage.nc, testSource, ({ body }) => {
    previewed.push(body)
    return sourceTest
  })
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
  answerCommand(stage.nc, listSkippedRows, ({ body }) => {
    const data = Array.from({ length: 1_100 }, (_, at) => ({ ...skippedRow, row: at + 2 }))
      .filter(({ row }) => row > (body.after_row ?? 0))
      .slice(0, body.per_page)
    return { data, total: data.length, page: 1, per_page: body.per_page }
  })
  await stage.nc.flush()
}, 60_000)
beforeEach(async () => {
  accept = () => ({ task_id: 41 })
  previewed = []
  listed = []
  task = adminImportTask
  await stage.db.collection('audit').deleteMany({})
  // nobody takes out here what was accepted
  const manager = await jetstreamManager(stage.nc)
  await manager.streams.purge(`OBJ_${UPLOAD_BUCKET.name}`).catch(() => undefined)
})
afterAll(() => stage?.close())

const get = (path: string) => ask(gateway.port, { url: `/api/admin${path}`, headers: admin })
const send = async (path: string, parts: readonly FormPart[], headers: Record<string, string> = {}) => {
  const answer = await ask(gateway.port, {
    method: 'POST',
    url: `/api/admin${path}`,
    headers: { ...admin, 'content-type': FORM_TYPE, ...headers },
    body: formBody(parts),
  })
  return { status: answer.statusCode, body: answer.json() as Record<string, unknown> }
}
const audit = async () =>
  (await administer(gateway.port, 'GET', '/audit')).body.data as Array<{ action: string; details: object }>
const document: FormPart = { name: 'document', file: 'price.csv', value: 'a;b' }
async function isBucketEmpty(): Promise<boolean> {
  const { state } = await (
    await jetstreamManager(stage.nc)
  ).streams.info(`OBJ_${UPLOAD_BUCKET.name}`, { subjects_filter: `$O.${UPLOAD_BUCKET.name}.C.>` })
  return Object.keys(state.subjects ?? {}).length === 0
}

const refusedDocument = (text: string) => ({
  message: 'The given data was invalid.',
  errors: { document: [text] },
  violations: [{ path: 'document', rule: 'invalid' }],
})

describe('POST /price-lists/:id/upload (admin.md#upload)', () => {
  it('responds like the B2B upload and is recorded in the audit log', async () => {
    expect(await send('/price-lists/7/upload', [document])).toEqual({
      status: 200,
      body: { result: true, message: 'Price list upload scheduled for import.', task_id: 41 },
    })
    expect(await audit()).toMatchObject([
      { action: 'price-list.upload', details: { id: 7, file_name: 'price.csv', size: 3, task_id: 41 } },
    ])
  })
  it('a field id does not matter: the list is named by the path', async () => {
    expect((await send('/price-lists/7/upload', [{ name: 'id', value: 'abc' }, document])).status).toBe(200)
  })
  it.each([
    [
      'what is wrong with a file',
      () =>
        new AppError('INVALID_FILE', 'Uploaded file is not valid.', {
          details: { reason: 'The archive is encrypted.' },
        }),
      400,
      'Uploaded file is not valid. The archive is encrypted.',
    ],
    [
      'a list that is not active',
      () => new AppError('INACTIVE_LIST', 'Price list is not active.'),
      400,
      'Price list is not active.',
    ],
    ['a list that does not exist', () => new AppError('NOT_FOUND', 'Not found.'), 404, 'Not found.'],
    [
      'a file that could not be stored',
      () => new AppError('STORE_FAILED', 'Failed to store uploaded file.'),
      500,
      'Failed to store uploaded file.',
    ],
  ])('tells %s; nothing is kept', async (_what, refusal, status, message) => {
    accept = () => {
      throw refusal()
    }
    expect(await send('/price-lists/7/upload', [document])).toEqual({ status, body: { message } })
    expect(await waitUntil(isBucketEmpty, { withinMs: 5_000 })).toBe(true)
  })
  it.each([
    ['no document', '/price-lists/7/upload', [], {}, 422, refusedDocument('The document field is required.')],
    [
      'two documents',
      '/price-lists/7/preview',
      [document, document],
      {},
      422,
      refusedDocument('The document must be a single file.'),
    ],
    ['no document for an unknown list', '/price-lists/8/upload', [], {}, 404, { message: 'Not found.' }],
    ['a path without an id', '/price-lists/x/upload', [document], {}, 404, { message: 'Not found.' }],
    [
      'no form',
      '/price-lists/7/preview',
      [document],
      { 'content-type': 'text/csv' },
      415,
      { message: 'The media type must be multipart/form-data.' },
    ],
    [
      'no token',
      '/price-lists/7/upload',
      [document],
      { authorization: 'Bearer x' },
      401,
      { message: 'Unauthenticated.' },
    ],
  ] as const)('%s', async (_what, path, parts, headers, status, body) => {
    expect(await send(path, parts, headers)).toEqual({ status, body })
    expect(await audit()).toEqual([])
  })
  it('names the limit when the file is too large', async () => {
    await administer(gateway.port, 'PATCH', '/settings', { 'price-lists.import.max_file_size': 2 })
    expect(await send('/price-lists/7/upload', [document])).toEqual({
      status: 400,
      body: { message: 'Uploaded file is not valid. The file is larger than 2 bytes.' },
    })
    await administer(gateway.port, 'PATCH', '/settings', { 'price-lists.import.max_file_size': 10 * MIB })
  })
})

describe('POST /price-lists/:id/upload of a previewed file (admin.md#upload-previewed)', () => {
  const upload = (body: unknown) => administer(gateway.port, 'POST', '/price-lists/7/upload', body)
  it('imports it in the name of the administrator, and is recorded', async () => {
    const asked: object[] = []
    accept = (body) => {
      asked.push(body)
      return { task_id: 41 }
    }
    expect(await upload({ preview_id: '3-abc', mode: 'merge' })).toMatchObject({ status: 200, body: { task_id: 41 } })
    expect(asked).toEqual([{ price_list_id: 7, preview_id: '3-abc', mode: 'merge', created_by: 'admin' }])
    expect(await audit()).toMatchObject([
      { action: 'price-list.upload', details: { id: 7, preview_id: '3-abc', mode: 'merge', task_id: 41 } },
    ])
  })
  it('409 when the file is no longer kept, and nothing is recorded', async () => {
    accept = () => {
      throw new AppError('CONFLICT', 'The previewed file is no longer kept. Send it again.')
    }
    expect(await upload({ preview_id: '3-abc' })).toEqual({
      status: 409,
      body: { message: 'The previewed file is no longer kept. Send it again.', by: [] },
    })
    expect(await audit()).toEqual([])
  })
  it.each([
    [{}, { preview_id: ['The preview_id field is required.'] }],
    [{ preview_id: 3 }, { preview_id: ['The preview_id must be a string.'] }],
    [{ preview_id: '3-abc', mode: 'replace' }, { mode: ['The selected mode is invalid.'] }],
    [{ preview_id: '3-abc', task_id: 4 }, { task_id: ['The task_id field is unknown.'] }],
    [[], { body: ['The body must be an object.'] }],
  ])('422 for %j', async (body, errors) => {
    expect(await upload(body)).toMatchObject({ status: 422, body: { errors } })
  })
  it('413 for a body beyond 128 KiB, 400 for one that is not JSON', async () => {
    expect((await upload({ preview_id: 'x'.repeat(130 * 1024) })).status).toBe(413)
    const headers = { ...admin, 'content-type': 'application/json' }
    const answer = await ask(gateway.port, {
      method: 'POST',
      url: '/api/admin/price-lists/7/upload',
      headers,
      body: Buffer.from('{'),
    })
    expect(answer.statusCode).toBe(400)
  })
})

it('POST /price-lists/:id/upload takes mode merge as a field (admin.md#upload-merge)', async () => {
  const asked: object[] = []
  accept = (body) => {
    asked.push(body)
    return { task_id: 41 }
  }
  expect((await send('/price-lists/7/upload', [document, { name: 'mode', value: 'merge' }])).status).toBe(200)
  expect(asked).toMatchObject([{ mode: 'merge', created_by: 'admin', price_list_id: 7 }])
  expect((await send('/price-lists/7/upload', [document, { name: 'mode', value: '' }])).status).toBe(200)
  expect(await send('/price-lists/7/upload', [{ name: 'mode', value: 'add' }])).toMatchObject({
    status: 422,
    body: { errors: { mode: ['The selected mode is invalid.'], document: ['The document field is required.'] } },
  })
})

describe('POST /price-lists/:id/preview (admin.md#preview)', () => {
  const form = (draft: string) => send('/price-lists/7/preview', [{ name: 'draft', value: draft }, document])
  const json = (body: unknown) => administer(gateway.port, 'POST', '/price-lists/7/preview', body)

  it('shows the result of an import without importing', async () => {
    expect(await send('/price-lists/7/preview', [document])).toEqual({ status: 200, body: preview })
    expect(previewed[0]).not.toHaveProperty('draft')
    expect(await audit()).toEqual([])
  })
  it('passes a draft on, from a form and from JSON (admin.md#preview-draft)', async () => {
    const draft = { format: { encoding: 'cp866' }, markup_percent: 5, delivery_days: null }
    expect((await form(JSON.stringify(draft))).status).toBe(200)
    expect((await form('{}')).status).toBe(200)
    expect((await json({ file: { preview_id: '3-abc' }, draft })).status).toBe(200)
    expect((await json({ file: { task_id: 4 } })).status).toBe(200)
    expect(previewed).toMatchObject([
      { price_list_id: 7, file_name: 'price.csv', draft },
      { draft: {} },
      { price_list_id: 7, file: { preview_id: '3-abc' }, draft },
      { price_list_id: 7, file: { task_id: 4 } },
    ])
  })
  it.each([
    ['{', { draft: ['The draft must be valid JSON.'] }],
    ['[]', { draft: ['The draft must be an object.'] }],
    ['{"format": {"encoding": "ebcdic"}}', { 'draft.format.encoding': ['The selected encoding is invalid.'] }],
    ['{"name": "x"}', { 'draft.name': ['The name field is unknown.'] }],
    [`{"markup_percent": 1${' '.repeat(16 * 1024)}}`, { draft: ['The draft must not be greater than 16384 bytes.'] }],
  ])('422 for the draft %.40s', async (draft, errors) => {
    expect(await form(draft)).toMatchObject({ status: 422, body: { errors } })
    expect(await waitUntil(isBucketEmpty, { withinMs: 5_000 })).toBe(true)
  })
  it.each([
    [{}, { file: ['The file field is required.'] }],
    [{ file: {} }, { file: ['The file must have either a preview_id or a task_id.'] }],
    [{ file: { preview_id: 'a', task_id: 1 } }, { file: ['The file must have either a preview_id or a task_id.'] }],
    [{ file: { task_id: 'x' } }, { 'file.task_id': ['The task_id must be an integer.'] }],
    [{ file: { task_id: 1 }, draft: { markup_percent: -200 } }, { 'draft.markup_percent': [expect.any(String)] }],
    [
      {
        file: { task_id: 1 },
        draft: {
          format: {
            columns: {
              name: Array(20).fill('я'.repeat(191)),
              price: Array(20).fill('я'.repeat(191)),
              article: Array(20).fill('я'.repeat(191)),
            },
          },
        },
      },
      { draft: ['The draft must not be greater than 16384 bytes.'] },
    ],
  ])('422 for a body like %.60j', async (body, errors) => {
    expect(await json(body)).toMatchObject({ status: 422, body: { errors } })
    expect(previewed).toEqual([])
  })
  it('404 for a path without an id', async () => {
    expect((await administer(gateway.port, 'POST', '/price-lists/x/preview', { file: { task_id: 1 } })).status).toBe(
      404,
    )
  })
})

describe('POST /price-lists/:id/sources/test (admin.md#source-test)', () => {
  const test = (body: unknown) => administer(gateway.port, 'POST', '/price-lists/7/sources/test', body)
  it('passes the source on, and is not recorded', async () => {
    const source = { kind: 'ftp', host: 'ftp.example', password: '***', id: 2 }
    expect(await test(source)).toEqual({ status: 200, body: sourceTest })
    expect(previewed).toEqual([{ id: 7, source }])
    expect(await audit()).toEqual([])
  })
  it.each([
    [{ kind: 'fax' }, { kind: ['The kind is invalid.'] }],
    [
      { kind: 'ftp', port: 70_000 },
      { host: [expect.any(String)], port: [expect.any(String)] },
    ],
    [{ kind: 'url', url: 'http://a.example', script: 'x' }, { script: ['The script field is unknown.'] }],
    [[], { body: ['The body must be an object.'] }],
  ])('422 for %j', async (body, errors) => {
    expect(await test(body)).toMatchObject({ status: 422, body: { errors } })
  })
})

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
    ['?status=done', { status: ['The selected status is invalid.'] }],
    ['?status=failed&status=done', { status: ['The selected status is invalid.'] }],
    ['?source_type=fax', { source_type: ['The selected source_type is invalid.'] }],
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

it('GET /import-tasks/:id/skipped.csv has all rows, whatever their number', async () => {
  const answer = await get('/import-tasks/41/skipped.csv')
  expect([answer.statusCode, answer.headers['content-type'], answer.headers['content-disposition']]).toEqual([
    200,
    'text/csv; charset=utf-8',
    "attachment; filename*=UTF-8''skipped-41.csv",
  ])
  const lines = answer.body.split('\r\n')
  expect(lines[0]).toBe('\uFEFFБренд;Артикул;;;;skipped_row;skipped_code;skipped_message')
  expect(lines[1]).toBe('BOSCH;0 986 424 590;Колодки;?;1 234,50;2;BAD_QUANTITY;The quantity is not understood.')
  expect(lines).toHaveLength(1_102)
})

describe('GET /import-tasks/:id/events', () => {
  const open = (id = 41) =>
    openConnection(
      gateway.port,
      `GET /api/admin/import-tasks/${id}/events HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer admin-token-of-the-specs\r\n\r\n`,
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
    const seen = async (id: string) =>
      openConnection(
        gateway.port,
        `GET /api/admin/import-tasks/41/events HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer admin-token-of-the-specs\r\nLast-Event-ID: ${id}\r\n\r\n`,
      )
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
    task = { ...adminImportTask, status: 'failed', error_message: 'The file holds no rows.' }
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
        { withinMs: 5_000, everyMs: 700 },
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
    const events = await openConnection(
      stopping.port,
      'GET /api/admin/import-tasks/41/events HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer admin-token-of-the-specs\r\n\r\n',
    )
    await events.until(/data: /)
    const startedAt = performance.now()
    await stopping.stop()
    expect(performance.now() - startedAt).toBeLessThan(4_000)
    expect(events.text()).toMatch(/0\r\n\r\n$/)
  })
})
