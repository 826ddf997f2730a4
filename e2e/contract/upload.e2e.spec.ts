import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { converse } from '../testing/raw-socket.js'
import { BOUNDARY, field, file, FORM_TYPE, formBody, type FormPart } from '@partsbus/test-kit/form'
import { refusal, said, violations } from '../testing/partner.js'
import { usePartner } from '../testing/contract-product.js'

const CSV = 'Бренд;Артикул;Количество\nKYB;UP-1;3\n'
const SCHEDULED = { result: true, message: 'Price list upload scheduled for import.', task_id: expect.any(Number) }
const INACTIVE = refusal(400, 'Price list is not active.')
const NOT_VALID = refusal(400, 'Uploaded file is not valid.')
const MALFORMED = refusal(400, 'The request body is not a valid multipart form.')
const ID = { required: ['The id field is required.'], unknown: ['The selected id is invalid.'] }
const DOCUMENT = { required: ['The document field is required.'], second: expect.arrayContaining([expect.any(String)]) }

const open = usePartner()

describe('POST /upload-price-list', () => {
  let list: number
  let inactive: number
  const upload = async (parts: readonly FormPart[] | Buffer, headers?: Record<string, string>) =>
    said(await open().upload(parts, headers))
  const id = () => field('id', list)
  const document = file(CSV)
  beforeAll(async () => {
    list = (await open().newList()).id
    inactive = (await open().newList({ is_active: false })).id
  })

  describe('200 with exactly result, message and task_id', () => {
    const forms: [string, () => FormPart[]][] = [
      ['id, document', () => [id(), document]],
      ['document, id', () => [document, id()]],
      ['tech_key', () => [field('tech_key', 'reserved'), document, id()]],
      ['an empty tech_key', () => [id(), document, field('tech_key', '')]],
      [
        'other fields and files',
        () => [
          field('status', 'completed'),
          field('task_id', 1),
          { name: 'image', file: 'x.exe', value: Buffer.from([0, 1]) },
          document,
          field('x'.repeat(200), 'y'.repeat(100_000)),
          id(),
        ],
      ],
      ['an empty file of another name', () => [{ name: 'extra', file: '', value: '' }, id(), document]],
      ['a Russian name', () => [id(), file(CSV, 'Прайс лист (1).csv')]],
      ['a path for a name', () => [id(), file(CSV, '..\\..\\x\\y.CSV')]],
      ['300 other fields', () => [...Array.from({ length: 300 }, (_, at) => field(`f${at}`, at)), document, id()]],
    ]
    it.each(forms)('%s', async (_what, parts) => {
      expect(await upload(parts())).toEqual([200, SCHEDULED])
    })
    it('creates a task for each upload, also of the same file', async () => {
      const ids = await Promise.all([1, 2].map(async () => (await open().upload([id(), document])).body.task_id ?? 0))
      expect(new Set(ids).size).toBe(2)
      for (const task of ids)
        expect(await open().finish(task)).toMatchObject({ id: task, price_list_id: list, status: 'completed' })
    })
    it('accepts many uploads at once (partners.md#upload-5)', async () => {
      const answers = await Promise.all(Array.from({ length: 16 }, () => open().upload([document, id()])))
      expect(answers.map(said)).toEqual(answers.map(() => [200, SCHEDULED]))
      for (const { body } of answers) expect((await open().finish(body.task_id ?? 0)).status).toBe('completed')
    })
    it.each([
      ['a boundary in quotes', `multipart/form-data; boundary="${BOUNDARY}"`],
      ['another case', `Multipart/Form-Data; Boundary=${BOUNDARY}`],
      ['another parameter first', `multipart/form-data; charset=utf-8; boundary=${BOUNDARY}`],
    ])('the media type with %s', async (_what, type) => {
      expect(await upload([id(), document], { 'content-type': type })).toEqual([200, SCHEDULED])
    })
    it('parts without a media type, names without quotes, text around the form', async () => {
      const bare =
        `hello\r\n--${BOUNDARY}\r\ncontent-disposition: form-data; name=id\r\n\r\n${list}\r\n` +
        `--${BOUNDARY}\r\nCONTENT-DISPOSITION: form-data; name=document; filename=p.csv\r\n\r\n${CSV}\r\n` +
        `--${BOUNDARY}--\r\nbye`
      expect(await upload(Buffer.from(bare))).toEqual([200, SCHEDULED])
    })
    it('a form in chunks, without a length', async () => {
      const body = formBody([id(), document])
      const chunk = Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')])
      const head =
        `POST /api/b2b/upload-price-list HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${open().token}\r\n` +
        `Content-Type: ${FORM_TYPE}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`
      let sent = false
      const { text } = await converse(
        Number(new URL(open().shop.product.url).port),
        head,
        () => {
          if (sent) return undefined
          sent = true
          return chunk
        },
        20_000,
      )
      expect(text).toMatch(/^HTTP\/1\.1 200 /)
    })
  })

  // partners.md#upload-1
  describe('check 1: missing, invalid and unknown fields: one 422 that lists all of them', () => {
    it.each([
      '1abc',
      'abc',
      '1.5',
      '1.0',
      '1e0',
      '0x1',
      '+1',
      '-1',
      '0',
      '１',
      '1,2',
      '[1]',
      '{"$gt":0}',
      'null',
      'true',
      '9007199254740993',
      '9'.repeat(400),
      '999999',
      '1\u0000',
    ])('id=%s selects nothing', async (value) => {
      expect(await upload([field('id', value), document])).toEqual(violations({ id: ID.unknown }))
    })
    const cases: [string, () => FormPart[], object][] = [
      ['nothing', () => [], { id: ID.required, document: DOCUMENT.required }],
      ['no id', () => [document], { id: ID.required }],
      ['no document', () => [id()], { document: DOCUMENT.required }],
      ['an empty id', () => [field('id', ''), document], { id: ID.required }],
      ['a blank id', () => [field('id', ' \t'), document], { id: ID.required }],
      ['another name of the id', () => [field('id[]', list), field('ID', list), document], { id: ID.required }],
      [
        'an id sent as a file',
        () => [{ name: 'id', file: 'id.txt', value: String(list) }, document],
        { id: ID.required },
      ],
      ['a document sent as text', () => [id(), field('document', CSV)], { document: DOCUMENT.required }],
      ['a document without a name', () => [id(), file(CSV, '')], { document: DOCUMENT.required }],
      [
        'another name of the document',
        () => [id(), { ...document, name: 'Document' }, { ...document, name: 'document[]' }],
        { document: DOCUMENT.required },
      ],
      ['a wrong id and no document', () => [field('id', 'x')], { id: ID.unknown, document: DOCUMENT.required }],
      ['an unknown id and no document', () => [field('id', 999_999)], { id: ID.unknown, document: DOCUMENT.required }],
      ['an inactive list and no document', () => [field('id', inactive)], { document: DOCUMENT.required }],
      ['an unknown id and a bad file', () => [field('id', 999_999), file(CSV, 'x.exe')], { id: ID.unknown }],
      ['a second document', () => [id(), document, file(CSV, 'other.csv')], { document: DOCUMENT.second }],
      [
        'a second document, a wrong id',
        () => [document, field('id', 'x'), document],
        { id: ID.unknown, document: DOCUMENT.second },
      ],
      [
        'a second document for an inactive list',
        () => [field('id', inactive), document, document],
        { document: DOCUMENT.second },
      ],
    ]
    it.each(cases)('%s', async (_what, parts, errors) => {
      expect(await upload(parts())).toEqual(violations(errors))
    })
    it('reports both fields missing in a request without a body', async () => {
      expect(said(await open().post('/upload-price-list', ''))).toEqual(
        violations({ id: ID.required, document: DOCUMENT.required }),
      )
    })
  })

  // partners.md#upload-1
  it('check 2: an inactive list is reported before the file is checked', async () => {
    for (const sent of [document, file(CSV, 'x.exe'), file('')]) {
      for (const parts of [
        [field('id', inactive), sent],
        [sent, field('id', inactive)],
      ])
        expect(await upload(parts)).toEqual(INACTIVE)
    }
  })

  describe('check 3: the size of the file', () => {
    const LIMIT = 4_096
    beforeAll(() => open().shop.set({ 'price-lists.import.max_file_size': LIMIT }))
    afterAll(() => open().shop.set({ 'price-lists.import.max_file_size': 52_428_800 }))
    const sized = (bytes: number) => file(Buffer.from(CSV.padEnd(bytes - (Buffer.byteLength(CSV) - CSV.length), '\n')))
    it('up to price-lists.import.max_file_size', async () => {
      expect(await upload([id(), sized(LIMIT)])).toEqual([200, SCHEDULED])
      expect(await upload([id(), sized(LIMIT + 1)])).toEqual(NOT_VALID)
      expect(await upload([sized(LIMIT + 50_000), id()])).toEqual(NOT_VALID)
    })
    // partners.md#upload-1
    it('reports errors of the form and the list first', async () => {
      expect(await upload([field('id', 'x'), sized(LIMIT + 1)])).toEqual(violations({ id: ID.unknown }))
      expect(await upload([sized(LIMIT + 1), field('id', inactive)])).toEqual(INACTIVE)
    })
    // partners.md#upload-2
    it('a form larger by over 1 MiB: 400 and the connection is closed; other files of that form count', async () => {
      for (const parts of [
        [id(), sized(LIMIT + 1024 * 1024 + 4_096)],
        [id(), document, { name: 'image', file: 'x.png', value: Buffer.alloc(1024 * 1024 + 2 * LIMIT) }],
      ]) {
        const answer = await open().upload(parts)
        expect([...said(answer), answer.headers.connection]).toEqual([...NOT_VALID, 'close'])
      }
      expect(await upload([id(), document, { name: 'image', file: 'x.png', value: Buffer.alloc(1_000_000) }])).toEqual([
        200,
        SCHEDULED,
      ])
    })
    it('refuses a too large announced length before the body is sent', async () => {
      const head =
        `POST /api/b2b/upload-price-list HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${open().token}\r\n` +
        `Content-Type: ${FORM_TYPE}\r\nContent-Length: 99999999999\r\nExpect: 100-continue\r\n\r\n`
      const { text, endedAfterMs } = await converse(
        Number(new URL(open().shop.product.url).port),
        head,
        () => undefined,
        5_000,
      )
      expect([text.includes('100 Continue'), text.split('\r\n\r\n')[1], endedAfterMs !== undefined]).toEqual([
        false,
        JSON.stringify(NOT_VALID[1]),
        true,
      ])
    })
  })

  describe('bodies that are not a form', () => {
    it.each([
      undefined,
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/mixed; boundary=x',
      'text/csv',
      'multipart/form-datax; boundary=x',
    ])('415 to the media type %s', async (type) => {
      expect(
        said(await open().post('/upload-price-list', '{"id":1}', type === undefined ? {} : { 'content-type': type })),
      ).toEqual(refusal(415, 'The media type must be multipart/form-data. Send the document as a form.'))
    })
    it('415 to a compressed form', async () => {
      expect(await upload([id(), document], { 'content-encoding': 'gzip' })).toEqual(
        refusal(415, 'The content encoding is not supported. Send the body uncompressed, without Content-Encoding.'),
      )
    })
    it.each([
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data; boundary=another',
      'multipart/form-data; charset=utf-8',
    ])('400 to %s', async (type) => {
      expect(await upload([id(), document], { 'content-type': type })).toEqual(MALFORMED)
    })
    it.each<[string, () => Buffer]>([
      ['without its end', () => formBody([id(), document], '')],
      ['cut off in the file', () => formBody([id(), document]).subarray(0, -60)],
      ['cut off in a head', () => formBody([id(), document]).subarray(0, 80)],
      ['of nothing', () => Buffer.alloc(0)],
      ['of garbage', () => Buffer.from('garbage')],
      ['with bare line feeds', () => Buffer.from(formBody([id(), document]).toString().replaceAll('\r\n', '\n'))],
      ['of JSON', () => Buffer.from(JSON.stringify({ id: list }))],
    ])('400 to a form %s', async (_what, body) => {
      expect(await upload(body())).toEqual(MALFORMED)
    })
  })
})
