import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ImportTask, Part } from './testing/partner.js'
import {
  ended,
  openPartnerShop,
  type PartnerList,
  type PartnerShop,
  type Parts,
  upload,
  type Upload,
} from './testing/partner-shop.js'
import { type BadUpload, badFiles, noise } from './price-files/bad-uploads.js'
import { badTexts } from './price-files/bad-texts.js'
import { dataFolder, whyNoData } from './testing/real-data.js'
import { expectStatus, type Page, readAll } from './testing/shop.js'
import { converse } from './testing/raw-socket.js'
import { percentile, watch } from './testing/vital-signs.js'

jest.setTimeout(120_000)

const MIB = 1024 * 1024
/** Resident memory of the service, and of the process that reads, which is ended above its limit. */
const SERVICE_MIB = 512
const CHILD_MIB = 512
/** Of 99 of 100 pings, and of every ping. */
const PING_P99_MS = 200
const LONGEST_PING_MS = 1_500

const VALID = 'Бренд;Артикул;Название;Количество;Цена\nKYB;GOOD-1;Strut;5;100\n'
const NOT_VALID = { result: false, message: 'Uploaded file is not valid.' }
const invalid = (errors: Record<string, string[]>) => ({
  result: false,
  message: 'The given data was invalid.',
  errors,
})
const dataMissing = whyNoData()
if (dataMissing) process.stderr.write(`Bad inputs from real files are skipped: ${dataMissing}\n`)

/** The files of docs/spec/bad-inputs.md, uploaded as by a partner, until their imports end. */
describe('bad price files', () => {
  let shop: PartnerShop
  let list: PartnerList
  let folder: string
  let before: (number | undefined)[] = []
  const pings: number[] = []
  const failures: string[] = []
  let largestReader = 0
  const pids = () => ['gateway', 'pricing-import'].map((name) => shop.product.processes(name)[0]?.pid)

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'partsbus-bad-files-'))
    shop = await openPartnerShop({ env: { TMPDIR: folder } })
    list = await shop.newList('Bad files')
    await send({ name: 'x.csv', content: VALID })
    before = pids()
  }, 300_000)
  afterAll(async () => {
    await shop?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Monitors product, service and reader during `work`, and checks the limits that apply to every input. */
  const watched = async <T>(work: () => Promise<T>, readerMib = CHILD_MIB): Promise<T> => {
    const signs = await watch(shop, ['pricing-import', 'gateway'], work)
    pings.push(...signs.times)
    failures.push(...signs.failures)
    largestReader = Math.max(largestReader, signs.children['pricing-import'] ?? 0)
    expect([signs.peak, signs.children]).toEqual([
      { 'pricing-import': expect.any(Number), gateway: expect.any(Number) },
      expect.anything(),
    ])
    expect(signs.peak['pricing-import']).toBeLessThan(SERVICE_MIB)
    expect(signs.peak.gateway).toBeLessThan(SERVICE_MIB)
    expect(signs.children['pricing-import']).toBeLessThan(readerMib)
    return signs.result
  }
  const send = async ({
    name,
    content,
    to = list,
  }: {
    name: string
    content: string | Buffer
    to?: PartnerList
  }): Promise<ImportTask> => {
    const { task_id } = expectStatus(await upload(shop.partner, to.id, content, name), 200).body
    return (await ended(shop, [task_id], 90_000))[0] as ImportTask
  }
  const parts = async (article: string, brands: string[], of = list) =>
    expectStatus(await shop.partner.post<Parts>('/get-parts', { article, brands, pick_up_points: [of.pointId] }), 200)
      .body.parts

  // created before monitoring starts, because creating a bomb blocks this process and its pings
  const watchedUpload = (one: BadUpload) => {
    const bytes = Buffer.from(one.content())
    return watched(() => follow(one, bytes), one.memory)
  }
  const follow = async ({ name, outcome }: BadUpload, bytes: Buffer) => {
    const answer = await upload(shop.partner, list.id, bytes, name)
    if (outcome === 'refused') return expect([answer.status, answer.body]).toEqual([400, NOT_VALID])
    expect([answer.status, answer.body]).toEqual([
      200,
      { result: true, message: 'Price list upload scheduled for import.', task_id: expect.any(Number) },
    ])
    const task = (await ended(shop, [answer.body.task_id], 100_000))[0] as ImportTask
    expect(task.processed_rows).toBe(task.imported_rows + task.skipped_rows)
    if ('fails' in outcome) {
      expect([task.status, task.error_message]).toEqual(['failed', expect.stringMatching(outcome.fails)])
      // a message for a partner: no path, no stack trace, nothing of another file
      return expect(task.error_message).not.toMatch(/\/(tmp|etc|home|root)\/|node_modules|\bat \w+ \(|root:/)
    }
    expect(task).toMatchObject({
      status: 'completed',
      error_message: null,
      imported_rows: outcome.imports,
      ...(outcome.skips !== undefined && { skipped_rows: outcome.skips }),
    })
    if (outcome.codes)
      expect(
        (await readAll<{ code: string }>(shop.admin, `/import-tasks/${task.id}/skipped`)).map(({ code }) => code),
      ).toEqual(outcome.codes)
    if (outcome.all) {
      const read = await readAll<Part & { row: number }>(shop.admin, `/price-lists/${list.id}/offers`)
      const rows = read.toSorted((a, b) => a.row - b.row)
      expect(
        rows.map(({ brand, article, name: of, quantity, price }) => ({ brand, article, name: of, quantity, price })),
      ).toEqual(outcome.all())
    }
    for (const [article, expected] of Object.entries(outcome.offers ?? {})) {
      expect(await parts(article, [expected.brand ?? 'KYB'])).toEqual([expect.objectContaining(expected)])
    }
  }

  describe('the form', () => {
    const file = (name = 'x.csv', content = VALID) =>
      `content-disposition: form-data; name="document"; filename="${name}"\r\n\r\n${content}`
    const field = (name: string, value: string | number) =>
      `content-disposition: form-data; name="${name}"\r\n\r\n${value}`
    const form = (...given: string[]) => `${given.map((one) => `--b\r\n${one}\r\n`).join('')}--b--\r\n`
    const post = (body: string | undefined, type = 'multipart/form-data; boundary=b') =>
      shop.partner.send<Upload>('POST', '/upload-price-list', { body, headers: { 'content-type': type } })
    const id = () => field('id', list.id)
    const idErrors = { required: ['The id field is required.'], unknown: ['The selected id is invalid.'] }
    const noDocument = ['The document field is required.']
    // bad-inputs.md#input-33 to bad-inputs.md#input-37
    it.each<[number, string, () => string, number, object]>([
      [33, 'without a document', () => form(id()), 422, invalid({ document: noDocument })],
      [33, 'without an id', () => form(file()), 422, invalid({ id: idErrors.required })],
      [33, 'without either', () => form(field('x', 1)), 422, invalid({ id: idErrors.required, document: noDocument })],
      ...['abc', '1e3', '-1', '987654321', '1.0', '{"$gt":0}'].map(
        (value): [number, string, () => string, number, object] => [
          33,
          `with id=${value}`,
          () => form(field('id', value), file()),
          422,
          invalid({ id: idErrors.unknown }),
        ],
      ),
      [
        34,
        'that breaks off',
        () => form(id(), file()).slice(0, -20),
        400,
        { result: false, message: 'The request body is not a valid multipart form.' },
      ],
      [
        34,
        'with two documents',
        () => form(id(), file(), file('y.csv')),
        422,
        invalid({ document: ['The document must be a single file.'] }),
      ],
      [
        34,
        'with six more fields',
        () => form(...[1, 2, 3, 4, 5, 6].map((at) => field(`f${at}`, at)), id(), file()),
        200,
        { result: true },
      ],
      [36, 'whose file comes before the id', () => form(file(), id()), 200, { result: true }],
      [37, 'whose file has an empty name', () => form(id(), file('')), 422, invalid({ document: noDocument })],
    ])('input %i: a form %s', async (_input, _what, body, status, answer) => {
      const got = await watched(() => post(body()))
      expect([got.status, got.body]).toEqual([status, status === 200 ? expect.objectContaining(answer) : answer])
    })
    it.each([
      ['application/json', 415, 'The media type must be multipart/form-data. Send the document as a form.'],
      ['text/csv', 415, 'The media type must be multipart/form-data. Send the document as a form.'],
      ['multipart/form-data', 400, 'The request body is not a valid multipart form.'],
    ])('sent as %s (bad-inputs.md#input-34)', async (type, status, message) => {
      const got = await watched(() => post(form(id(), file()), type))
      expect([got.status, got.body]).toEqual([status, { result: false, message }])
    })
    it('51 MB with a length, and in chunks without one (bad-inputs.md#input-35)', async () => {
      const large = Buffer.alloc(51 * MIB, 'a;b;c\n')
      const answer = await watched(() => upload(shop.partner, list.id, large, 'x.csv'))
      expect([answer.status, answer.body]).toEqual([400, NOT_VALID])
      const head =
        `POST /api/b2b/upload-price-list HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${shop.partnerToken}\r\n` +
        'Content-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\n\r\n'
      const start = Buffer.from(`--b\r\n${file('x.csv', '')}`)
      const block = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, 'a;b;c\n'), Buffer.from('\r\n')])
      let first: Buffer | undefined = Buffer.concat([
        Buffer.from(`${start.length.toString(16)}\r\n`),
        start,
        Buffer.from('\r\n'),
      ])
      const talk = await watched(() =>
        converse(
          Number(new URL(shop.product.url).port),
          head,
          (sent) => {
            const part = first ?? (sent < 80 * MIB ? block : undefined)
            first = undefined
            return part
          },
          30_000,
        ),
      )
      expect(talk.text).toMatch(/^HTTP\/1\.1 400 [^]*Uploaded file is not valid\./)
      expect(talk.endedAfterMs).toBeLessThan(25_000)
    })
  })

  // bad-inputs.md#input-37 to bad-inputs.md#input-50: names, kinds, archives, workbooks
  it.each(badFiles.map((one) => [one.input, one.what, one] as const))('input %i: %s', async (_input, _what, one) => {
    await watchedUpload(one)
  })
  // bad-inputs.md#input-51 to bad-inputs.md#input-55: encodings, delimiters, rows, sizes
  it.each(badTexts.map((one) => [one.input, one.what, one] as const))('input %i: %s', async (_input, _what, one) => {
    await watchedUpload(one)
  })

  const withData = dataMissing ? describe.skip : describe
  withData('real files that are bad', () => {
    const real = (path: string) => readFileSync(join(dataFolder, path))
    const refused = [
      'rarfile/rar3-comment-psw.rar',
      'rarfile/rar5-hpsw.rar',
      'rarfile/rar5-psw.rar',
      'rarfile/rar3-old.rar',
      'rarfile/rar3-vols.part1.rar',
      'rarfile/rar5-vols.part1.rar',
      'rarfile/rar5-vols.part3.rar',
      'rarfile/rar5-evil-symlink-traversal.rar',
      'rarfile/rar5-symlink-win.rar',
      'libarchive/test_read_format_zip_symlink.zip',
      'libarchive/test_read_format_zip_winzip_aes128.zip',
      'libarchive/test_read_format_zip_malformed1.zip',
    ].map((name) => `archives/${name}`)
    it.each([
      ...refused,
      'derived/archives/rar4-truncated.rar',
      'derived/archives/rar5-no-files.rar',
      'derived/archives/zip-encrypted-zipcrypto.zip',
      'derived/archives/zip-truncated.zip',
      'derived/wrong-extension/png-inside.csv',
    ])('%s (bad-inputs.md#input-38, bad-inputs.md#input-39, bad-inputs.md#input-43)', async (path) => {
      await watchedUpload({ input: 43, what: path, name: path, content: () => real(path), outcome: 'refused' })
    })
    const DAMAGED = /^The workbook is damaged\.$/
    const EMPTY = /^No visible sheet of the workbook has data\.$/
    const NO_COLUMNS = /^No column was found for the article and the brand and the quantity\./
    it.each<[string, BadUpload['outcome']]>([
      ['issue_385.xls', { fails: /^The workbook is protected by a password\.$/ }],
      ['OOM_alloc3.xls', { fails: DAMAGED }],
      ['malformed_format.xls', { fails: NO_COLUMNS }],
      ['too_small.xls', { fails: NO_COLUMNS }],
      ['vba.xlsm', 'refused'],
      ['misc_biff5_parsing.xls', { fails: EMPTY }],
    ])('%s (bad-inputs.md#input-50)', async (path, outcome) => {
      const content = () => real(`spreadsheets/calamine/${path}`)
      await watchedUpload({ input: 50, what: path, name: path, content, outcome })
    })
    it.each([
      [1, DAMAGED],
      [2, EMPTY],
      [3, EMPTY],
      [4, DAMAGED],
      [5, DAMAGED],
      [6, EMPTY],
    ])('an XLS with bytes changed at places of their own, %i (bad-inputs.md#input-50)', async (seed, fails) => {
      const bytes = real('pricelists/tyres/Шины_лето.xls')
      const where = noise(400, seed)
      for (let at = 0; at < 100; at++) bytes[512 + (where.readUInt32LE(at * 4) % (bytes.length - 512))] = where[at] ?? 0
      await watchedUpload({ input: 50, what: 'x', name: 'x.xls', content: () => bytes, outcome: { fails } })
    })
  })

  it('the old list stays when nothing can be imported (bad-inputs.md#input-55)', async () => {
    await send({ name: 'x.csv', content: VALID })
    for (const bad of ['Бренд;Артикул;Количество\n', 'Бренд;Артикул;Количество\nKYB;GOOD-1;abc\n', 'x']) {
      expect(await send({ name: 'x.csv', content: bad })).toMatchObject({
        status: 'failed',
        error_message: expect.stringMatching(/^[A-Z].*\.$/s),
      })
      expect(await parts('good1', ['KYB'])).toMatchObject([{ quantity: 5, price: 100 }])
    }
  })

  it('the newest upload is live, also after an older one that takes longer (bad-inputs.md#input-56)', async () => {
    const long = `${VALID}${Array.from({ length: 60_000 }, (_, at) => `KYB;L-${at};x;1;1`).join('\n')}\n`
    const tasks = await watched(async () => {
      const uploads = []
      for (const content of [long, VALID.replace(';5;', ';6;'), VALID.replace(';5;', ';6;')])
        uploads.push(expectStatus(await upload(shop.partner, list.id, content), 200).body.task_id)
      return ended(shop, uploads, 90_000)
    })
    for (const task of tasks) expect(task.status).toBe('completed')
    expect(await parts('good1', ['KYB'])).toMatchObject([{ quantity: 6 }])
    expect(await parts('L-5', ['KYB'])).toEqual([])
  })

  it('a file that cannot be stored: 500, no task, and it works again afterwards (bad-inputs.md#input-57)', async () => {
    const count = async () => expectStatus(await shop.admin.get<Page<unknown>>('/import-tasks'), 200).body.total
    const tasks = await count()
    rmSync(folder, { recursive: true })
    const answer = await watched(() => upload(shop.partner, list.id, VALID))
    mkdirSync(folder)
    expect([answer.status, answer.body]).toEqual([500, { result: false, message: 'Failed to store uploaded file.' }])
    expect(await count()).toBe(tasks)
    expect(await send({ name: 'x.csv', content: VALID })).toMatchObject({ status: 'completed' })
  })

  it('an invalid task id: the exact 422 (bad-inputs.md#input-58)', async () => {
    for (const body of [
      '{}',
      '{"task_id":"5"}',
      '{"task_id":5.5}',
      '{"task_id":-1}',
      '{"task_id":0}',
      '{"task_id":1152921504606846976}',
      '{"task_id":null}',
      '{"task_id":{"$gt":0}}',
      '{"task_id":987654321}',
      '',
    ]) {
      const answer = await shop.partner.send('POST', '/get-price-list-status', {
        body,
        headers: { 'content-type': 'application/json' },
      })
      expect([answer.status, answer.text]).toEqual([
        422,
        '{"message":"The given data was invalid.","errors":{"task_id":["The selected task_id is invalid."]}}',
      ])
    }
  })

  it('no process died, and no file is left behind', async () => {
    expect(pids()).toEqual(before)
    const left = readdirSync(folder).filter((name) => /partsbus-|price-file-/.test(name))
    // the folder of the idle reader
    expect(left.filter((name) => !name.startsWith('price-file-'))).toEqual([])
    expect(left.length).toBeLessThanOrEqual(1)
  })

  it('the product answered pings all the time (promises.md#promise-6)', () => {
    const p99 = percentile(pings, 0.99)
    const longest = percentile(pings, 1)
    process.stderr.write(
      `largest reader ${Math.round(largestReader)} MiB; ping while bad files were sent: p99 ${Math.round(p99)} ms, ` +
        `longest ${Math.round(longest)} ms of ${pings.length}\n`,
    )
    expect(pings.length).toBeGreaterThan(200)
    expect(failures).toEqual([])
    expect(p99).toBeLessThan(PING_P99_MS)
    expect(longest).toBeLessThan(LONGEST_PING_MS)
  })
})
