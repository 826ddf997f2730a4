import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { AppError } from '@partsbus/contracts/app-error'
import {
  acceptPreviewed,
  acceptUpload,
  getPriceList,
  previewStored,
  previewUpload,
  testSource,
  UPLOAD_BUCKET,
} from '@partsbus/contracts/pricing-import/commands'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import { jetstreamManager } from '@nats-io/jetstream'
import { preview, sourceTest } from '../../testing/resources.js'
import { ask } from '../../testing/send-request.js'
import { formBody, type FormPart, FORM_TYPE } from '@partsbus/test-kit/form'
import { administer, answerCommand, openRealStage } from '../../testing/gateway-stage.js'

const MIB = 1024 * 1024
const admin = { authorization: 'Bearer admin-token-of-the-specs' }

let stage: Awaited<ReturnType<typeof openRealStage>>
let gateway: Awaited<ReturnType<typeof stage.startGateway>>
let accept: (asked: object) => unknown
let previewed: object[] = []

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
  await stage.nc.flush()
})
beforeEach(async () => {
  accept = () => ({ task_id: 41 })
  previewed = []
  await stage.db.collection('audit').deleteMany({})
  // no service removes accepted files here
  const manager = await jetstreamManager(stage.nc)
  await manager.streams.purge(`OBJ_${UPLOAD_BUCKET.name}`).catch(() => undefined)
})
afterAll(() => stage?.close())

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
    expect(await waitUntil(isBucketEmpty, { withinMs: 20_000 })).toBe(true)
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
      { message: 'The media type must be multipart/form-data. Send the document as a form.' },
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
      body: {
        message:
          'Uploaded file is not valid. The file is larger than 2 bytes (setting price-lists.import.max_file_size).',
      },
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
    [{ preview_id: '3-abc', mode: 'replace' }, { mode: ['The selected mode is invalid. It must be merge.'] }],
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
    body: {
      errors: {
        mode: ['The selected mode is invalid. It must be merge.'],
        document: ['The document field is required.'],
      },
    },
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
    [
      '{"format": {"encoding": "ebcdic"}}',
      { 'draft.format.encoding': [expect.stringContaining('It must be auto, utf-8,')] },
    ],
    ['{"name": "x"}', { 'draft.name': ['The name field is unknown.'] }],
    [`{"markup_percent": 1${' '.repeat(16 * 1024)}}`, { draft: ['The draft must not be greater than 16384 bytes.'] }],
  ])('422 for the draft %.40s', async (draft, errors) => {
    expect(await form(draft)).toMatchObject({ status: 422, body: { errors } })
    expect(await waitUntil(isBucketEmpty, { withinMs: 20_000 })).toBe(true)
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
    [{ kind: 'fax' }, { kind: ['The selected kind is invalid. It must be url, ftp or email.'] }],
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
