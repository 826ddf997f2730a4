import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { AppError, texts } from '@partsbus/contracts/app-error'
import { BOUNDARY, formBody, type FormPart, FORM_TYPE } from '@partsbus/test-kit/form'
import type { AskedCall } from '../testing/stub-app.js'
import { openStubApp } from '../testing/stub-app.js'

type Stub = Awaited<ReturnType<typeof openStubApp>>

const LIMIT = 1_000
/** Uploads at once in one gateway: some are received, the others wait. */
const ROOM = 600
const csv = 'brand;article\nBOSCH;0 986\n'
const id: FormPart = { name: 'id', value: '7' }
const document: FormPart = { name: 'document', file: 'price.csv', value: csv }

let stub: Stub
let token: string
let accept: (call: AskedCall) => unknown
let list: () => unknown

beforeAll(async () => {
  stub = await openStubApp({
    answer: async (call) => {
      const reply = await (call.subject === 'pricing-import.price-lists.get' ? list() : accept(call))
      if (reply instanceof AppError) throw reply
      return JSON.stringify(reply)
    },
  })
})
beforeEach(async () => {
  token = (await stub.reset({ b2b_enabled: true, 'price-lists.import.max_file_size': LIMIT })).b2b
  stub.uploads.reset()
  accept = () => ({ task_id: 41 })
  list = () => ({ id: 7, is_active: true })
})
afterAll(() => stub.close())

async function send(parts: readonly FormPart[] | Buffer, headers: Record<string, string> = {}) {
  const answer = await stub.ask({
    method: 'POST',
    url: '/api/b2b/upload-price-list',
    headers: { authorization: `Bearer ${token}`, 'content-type': FORM_TYPE, ...headers },
    body: Buffer.isBuffer(parts) ? parts : formBody(parts),
  })
  return { status: answer.statusCode, body: answer.json() as { message: string }, headers: answer.headers }
}
const asked = (subject: string): unknown[] =>
  stub.asked.filter((call) => call.subject.endsWith(subject)).map((call) => JSON.parse(call.body))
const invalid = (errors: object) => ({ status: 422, body: { result: false, message: texts.invalid, errors } })
const refused = (status: number, message: string) => ({ status, body: { result: false, message } })
const NOT_VALID = refused(400, 'Uploaded file is not valid.')

const REQUIRED = { id: ['The id field is required.'], document: ['The document field is required.'] }
const UNKNOWN = ['The selected id is invalid.']

describe('an accepted upload (partners.md#upload)', () => {
  const forms: Array<[string, FormPart[]]> = [
    ['id, document', [id, document]],
    ['document, id (bad-inputs.md#input-36)', [document, id]],
    [
      'tech_key and others between them',
      [{ name: 'tech_key', value: 'x' }, document, { name: 'note', value: 'y'.repeat(5_000) }, id],
    ],
    ['another file', [{ name: 'image', file: 'x.png', value: 'png' }, document, id]],
    ['an empty field', [{ name: 'tech_key', value: '' }, document, id]],
    ['a document field without a file beside it', [{ name: 'document', value: 'text' }, document, id]],
  ]
  it.each(forms)('%s: returns 200 with the task', async (_what, parts) => {
    expect(await send(parts)).toMatchObject({
      status: 200,
      body: { result: true, message: 'Price list upload scheduled for import.', task_id: 41 },
    })
    const [object] = [...stub.uploads.kept.keys()]
    expect(asked('.accept')).toEqual([{ object, file_name: 'price.csv', size: csv.length, price_list_id: 7 }])
    expect(stub.uploads.kept.get(object ?? '')?.toString()).toBe(csv)
    expect(stub.uploads.dropped).toEqual([])
  })
  it('its body has only the documented fields', async () => {
    expect(Object.keys((await send([id, document])).body)).toEqual(['result', 'message', 'task_id'])
  })
  it('the settings of the moment travel with it', async () => {
    await send([id, document])
    expect(stub.asked.at(-1)?.settings).toMatchObject({ 'price-lists.import.max_file_size': LIMIT })
  })

  const names: Array<[sent: string, kept: string]> = [
    ['../../x.csv', 'x.csv'],
    ['C:\\prices\\прайс.xlsx', 'прайс.xlsx'],
    [`${'n'.repeat(5_000)}.csv`, `${'n'.repeat(251)}.csv`],
    ['x.csv.exe', 'x.csv.exe'],
    ['a\u0000b.csv', 'a_b.csv'],
    ['x.csv\u0000', 'x.csv_'],
  ]
  it.each(names)('file name %j is stored as %j (bad-inputs.md#input-37)', async (file, kept) => {
    expect((await send([id, { ...document, file }])).status).toBe(200)
    expect(asked('.accept')).toMatchObject([{ file_name: kept }])
  })
})

describe('what is missing, wrong or unknown is one 422 that lists all of it (bad-inputs.md#input-33)', () => {
  const cases: Array<[string, FormPart[], object]> = [
    ['nothing', [], REQUIRED],
    ['no document', [id], { document: REQUIRED.document }],
    ['no id', [document], { id: REQUIRED.id }],
    ['a blank id', [{ name: 'id', value: ' ' }, document], { id: REQUIRED.id }],
    ['an id sent as a file', [{ ...id, file: 'id.txt' }, document], { id: REQUIRED.id }],
    ['a document sent as a field', [id, { name: 'document', value: csv }], { document: REQUIRED.document }],
    ['a document without a name', [id, { ...document, file: '' }], { document: REQUIRED.document }],
    [
      'two documents (bad-inputs.md#input-34)',
      [id, document, { ...document, file: 'other.csv' }],
      { document: ['The document must be a single file.'] },
    ],
    ...[
      'abc',
      '1e3',
      '1.5',
      '0x7',
      '7a',
      '７',
      '+7',
      '7,8',
      '-1',
      '0',
      '007',
      ' 7',
      '7 ',
      ' 007 ',
      '9'.repeat(20),
      '7'.repeat(2_000),
    ].map((value): [string, FormPart[], object] => [
      `id=${value.slice(0, 20)}`,
      [{ name: 'id', value }, document],
      { id: UNKNOWN },
    ]),
    ['id=abc and no document', [{ name: 'id', value: 'abc' }], { id: UNKNOWN, document: REQUIRED.document }],
  ]
  it.each(cases)('%s', async (_what, parts, errors) => {
    expect(await send(parts)).toMatchObject(invalid(errors))
    expect(asked('.accept')).toEqual([])
    expect(stub.uploads.kept.size).toBe(0)
  })
  it('a request without form and body lacks both', async () => {
    const answer = await stub.ask({
      method: 'POST',
      url: '/api/b2b/upload-price-list',
      headers: { authorization: `Bearer ${token}` },
    })
    expect({ status: answer.statusCode, body: answer.json() }).toEqual(invalid(REQUIRED))
  })
  it('an unknown id', async () => {
    accept = () => new AppError('NOT_FOUND', texts.notFound)
    expect(await send([id, document])).toMatchObject(invalid({ id: UNKNOWN }))
    expect(stub.uploads.kept.size).toBe(0)
  })
  it.each([
    ['no document', [id], REQUIRED.document],
    ['two documents', [id, document, document], ['The document must be a single file.']],
  ] as const)('an unknown id and %s', async (_what, parts, texts) => {
    list = () => new AppError('NOT_FOUND', 'Not found.')
    expect(await send(parts)).toMatchObject(invalid({ id: UNKNOWN, document: texts }))
    expect(stub.uploads.kept.size).toBe(0)
  })
})

describe('then active → file → stored', () => {
  const large: FormPart = { ...document, value: 'x'.repeat(LIMIT + 1) }
  it('an inactive list', async () => {
    accept = () => new AppError('INACTIVE_LIST', 'Price list is not active.')
    expect(await send([id, document])).toMatchObject(refused(400, 'Price list is not active.'))
    expect(stub.uploads.kept.size).toBe(0)
  })
  it.each([
    ['a document as large as allowed', LIMIT, 200],
    ['one byte more (bad-inputs.md#input-35)', LIMIT + 1, 400],
    ['the largest form there can be', LIMIT + 1024 * 1024 - 500, 400],
  ])('%s', async (_what, size, status) => {
    expect((await send([{ ...document, value: 'x'.repeat(size) }, id])).status).toBe(status)
    expect(stub.uploads.brokenOff).toBe(status === 200 ? 0 : 1)
  })
  it.each([
    ['an unknown list', () => new AppError('NOT_FOUND', 'Not found.'), invalid({ id: UNKNOWN })],
    ['an inactive list', () => ({ id: 7, is_active: false }), refused(400, 'Price list is not active.')],
    ['an active list', () => ({ id: 7, is_active: true }), NOT_VALID],
    ['no service', () => new AppError('UNAVAILABLE', 'nats://'), refused(503, texts.unavailable)],
  ] as const)('a document that is too large, for %s', async (_what, found, expected) => {
    list = found
    expect(await send([large, id])).toMatchObject(expected)
    expect(asked('.accept')).toEqual([])
  })
  it('does not tell partners why a file is not valid', async () => {
    accept = () =>
      new AppError('INVALID_FILE', 'inner words', {
        details: { reason: 'The archive is encrypted.', errors: { x: ['y'] } },
      })
    const answer = await send([id, document])
    expect(answer).toMatchObject(NOT_VALID)
    expect(Object.keys(answer.body)).toEqual(['result', 'message'])
    expect(stub.uploads.kept.size).toBe(0)
  })
  it.each([
    ['an unknown list', () => new AppError('NOT_FOUND', 'Not found.'), invalid({ id: UNKNOWN })],
    ['an inactive list', () => ({ id: 7, is_active: false }), refused(400, 'Price list is not active.')],
    ['an active list', () => ({ id: 7, is_active: true }), refused(500, 'Failed to store uploaded file.')],
  ] as const)(
    'a document that could not be stored (bad-inputs.md#input-57), for %s, with the id behind it',
    async (_what, found, expected) => {
      list = found
      stub.uploads.failure = new Error('insufficient resources')
      expect(await send([document, { name: 'note', value: 'n'.repeat(200_000) }, id])).toMatchObject(expected)
    },
  )
  it('a service that could not store it (bad-inputs.md#input-57)', async () => {
    accept = () => new AppError('STORE_FAILED', 'Failed to store uploaded file.')
    expect(await send([id, document])).toMatchObject(refused(500, 'Failed to store uploaded file.'))
    expect(stub.uploads.kept.size).toBe(0)
  })
  it.each([
    ['UNAVAILABLE', 503],
    ['OVERLOADED', 503],
    ['TIMEOUT', 504],
    ['INTERNAL', 500],
  ] as const)('a service that says %s', async (code, status) => {
    accept = () => new AppError(code, 'inner words')
    const answer = await send([id, document])
    expect(answer.status).toBe(status)
    expect(JSON.stringify(answer.body)).not.toContain('inner')
    expect(stub.uploads.kept.size).toBe(0)
  })
})

describe('malformed forms (bad-inputs.md#input-34)', () => {
  it.each([
    ['application/json'],
    ['text/plain'],
    ['multipart/mixed; boundary=x'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-database; boundary=x'],
    [''],
  ])('415: %s', async (type) => {
    expect(await send([id, document], { 'content-type': type })).toMatchObject(
      refused(415, 'The media type must be multipart/form-data. Send the document as a form.'),
    )
  })
  it('415: a compressed form', async () => {
    expect((await send([id, document], { 'content-encoding': 'gzip' })).status).toBe(415)
  })
  const MALFORMED = refused(400, 'The request body is not a valid multipart form.')
  it.each([
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=""',
    `multipart/form-data; boundary=${'b'.repeat(300)}`,
  ])('400: %s', async (type) => {
    expect(await send([id, document], { 'content-type': type })).toMatchObject(MALFORMED)
  })
  const whole = formBody([id, document])
  const broken: Array<[string, Buffer]> = [
    ['nothing', Buffer.alloc(0)],
    ['no form at all', Buffer.from('{"id":7}')],
    ['another boundary', Buffer.from(whole.toString('latin1').replaceAll(BOUNDARY, 'other'), 'latin1')],
    ['no end', formBody([id, document], '')],
    ['half an end', formBody([id, document], `--${BOUNDARY}`)],
    ['cut off in a document', whole.subarray(0, whole.indexOf('BOSCH'))],
    ['cut off in a field', formBody([document, id], '').subarray(0, -3)],
    ['cut off in a head', whole.subarray(0, whole.indexOf('filename'))],
    [
      'more than 1,000 parts',
      formBody([document, ...Array.from({ length: 1_100 }, (): FormPart => ({ name: 'x', value: '1' })), id]),
    ],
  ]
  it.each(broken)('returns 400 for %s and stores nothing', async (_what, body) => {
    expect(await send(body)).toMatchObject(MALFORMED)
    expect([stub.uploads.kept.size, asked('.accept')]).toEqual([0, []])
  })
  it('400 at once: a form that says it is larger than a file may be by over 1 MiB', async () => {
    const answer = await send(
      Buffer.concat([formBody([id, { ...document, value: 'x'.repeat(LIMIT) }]), Buffer.alloc(1024 * 1024)]),
    )
    expect(answer).toMatchObject({ ...NOT_VALID, headers: { connection: 'close' } })
    expect(stub.asked).toEqual([])
  })
  it('bytes after the end of a form are ignored', async () => {
    expect((await send(Buffer.concat([whole, Buffer.from('epilogue'.repeat(50_000))]))).status).toBe(200)
  })
})

it('600 uploads at once are accepted in their turn; the next one is refused with 503 and Retry-After', async () => {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let [accepting, most] = [0, 0]
  accept = async () => {
    most = Math.max(most, (accepting += 1))
    await held
    accepting -= 1
    return { task_id: 1 }
  }
  const answers = Array.from({ length: ROOM + 1 }, () => send([id, document]))
  // all others are waiting
  expect(await Promise.race(answers)).toMatchObject({
    ...refused(503, texts.unavailable),
    headers: { 'retry-after': '1' },
  })
  release()
  const statuses = (await Promise.all(answers)).map(({ status }) => status).toSorted()
  expect(statuses).toEqual([...Array.from({ length: ROOM }, () => 200), 503])
  // the rest waits in the gateway: a service with that many calls would count as overloaded
  expect(most).toBe(16)
})
