import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import {
  acceptPreviewed,
  getPriceList,
  listImportTasks,
  previewStored,
  testSource,
} from '@partsbus/contracts/pricing-import/commands'
import type { PriceListSource } from '@partsbus/contracts/pricing-import/price-list-source'
import { type PricingUnderTest, startPricing } from '../testing/pricing-under-test.js'

const TEXT = 'Бренд;Артикул;Количество;Цена\nA;TEST-1;5;10\n'
const AT = 'Sat, 21 Nov 2026 10:15:00 GMT'

let pricing: PricingUnderTest
let host: Server
let base = ''
let answer: RequestListener
let authorizations: Array<string | undefined> = []

beforeAll(async () => {
  pricing = await startPricing({ SOURCE_ALLOWED_HOSTS: ['127.0.0.1'] })
  host = createServer((request, response) => {
    authorizations.push(request.headers.authorization)
    answer(request, response)
  })
  await new Promise<void>((done) => host.listen(0, '127.0.0.1', done))
  base = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
})
beforeEach(() => {
  authorizations = []
  answer = (_request, response) => response.setHeader('last-modified', AT).end(TEXT)
})
afterAll(async () => {
  host?.close()
  host?.closeAllConnections()
  await pricing?.stop()
})

const test = (id: number, source: Partial<PriceListSource>) =>
  pricing.ask(testSource, { id, source: { kind: 'url', url: `${base}/price.csv`, ...source } as PriceListSource })
const violations = (errors: object) => ({ code: 'CONTRACT_VIOLATION', details: { errors } })

describe('the test of a source (admin.md#source-test)', () => {
  it('fetches its file, which can be previewed and imported, and imports nothing', async () => {
    const { id } = await pricing.newList()
    const result = await test(id, { username: 'shop', password: 'secret' })
    expect(result).toEqual({
      ok: true,
      ms: expect.any(Number),
      code: null,
      message: 'The file price.csv was fetched.',
      file: { name: 'price.csv', size: Buffer.byteLength(TEXT), modified_at: '2026-11-21T10:15:00.000Z' },
      preview_id: expect.any(String),
    })
    expect(authorizations).toEqual([`Basic ${Buffer.from('shop:secret').toString('base64')}`])
    const file = { preview_id: result.preview_id ?? '' }
    expect(await pricing.ask(previewStored, { price_list_id: id, file })).toMatchObject({ totals: { importable: 1 } })
    expect(await pricing.ask(listImportTasks, { page: 1, per_page: 1, price_list_id: id })).toMatchObject({ total: 0 })
    expect((await pricing.ask(getPriceList, { id })).sources).toEqual([])
    const { task_id } = await pricing.ask(acceptPreviewed, { price_list_id: id, ...file })
    expect(await pricing.finish(task_id)).toMatchObject({ status: 'completed', imported_rows: 1 })
  })

  it('leaves the state of a stored source, and uses its password for its address only', async () => {
    const stored = { url: `${base}/price.csv`, username: 'shop', password: 'secret', is_active: false }
    const { id } = await pricing.newList({ sources: [{ kind: 'url', ...stored }] })
    expect(await test(id, { id: 1, username: 'shop', password: '***', url: `${base}/other.csv` })).toMatchObject({
      ok: true,
      file: { name: 'other.csv' },
    })
    expect(authorizations).toEqual([`Basic ${Buffer.from('shop:secret').toString('base64')}`])
    expect((await pricing.ask(getPriceList, { id })).sources[0]?.last_run).toBeNull()
    const resend = violations({ password: ['The password must be sent again, because the address changed.'] })
    const moved = base.replace('127.0.0.1', 'localhost')
    await expect(test(id, { id: 1, ...stored, password: '***', url: `${moved}/price.csv` })).rejects.toMatchObject(
      resend,
    )
    await expect(test(id, { id: 1, ...stored, password: '***', username: 'root' })).rejects.toMatchObject(resend)
    await expect(test(id, { ...stored, password: '***' })).rejects.toMatchObject(
      violations({ password: ['The password has no stored value to keep.'] }),
    )
    expect(authorizations).toHaveLength(1)
  })

  it.each<[string, RequestListener, object]>([
    [
      'LOGIN_REFUSED',
      (_request, response) => response.writeHead(401).end(),
      { code: 'LOGIN_REFUSED', message: 'The host answered HTTP 401.' },
    ],
    [
      'HTTP_STATUS',
      (_request, response) => response.writeHead(404).end(),
      { code: 'HTTP_STATUS', message: 'The host answered HTTP 404.' },
    ],
    ['UNREACHABLE', (request) => request.socket.destroy(), { code: 'UNREACHABLE' }],
    [
      'INVALID_FILE',
      (_request, response) => response.end(''),
      { code: 'INVALID_FILE', message: 'The file is not valid: The file is empty.' },
    ],
    [
      'WEB_PAGE for a form to sign in (admin.md#source-web-page)',
      (_request, response) => response.end('<!DOCTYPE html><form><input type="password"></form>'),
      { code: 'WEB_PAGE', message: 'The server sent a web page, perhaps a sign-in form.' },
    ],
  ])('replies %s', async (_code, listener, expected) => {
    const { id } = await pricing.newList()
    answer = listener
    expect(await test(id, {})).toMatchObject({ ok: false, ...expected, file: null, preview_id: null })
  })

  it('replies which host is unknown, or forbidden, and which file is too large', async () => {
    const { id } = await pricing.newList()
    expect(await test(id, { url: 'http://nowhere.invalid/x.csv' })).toMatchObject({ ok: false, code: 'HOST_UNKNOWN' })
    expect(await test(id, { url: 'http://169.254.169.254/x.csv' })).toMatchObject({ code: 'ADDRESS_FORBIDDEN' })
    const source = { kind: 'url', url: `${base}/price.csv` } as PriceListSource
    expect(await pricing.ask(testSource, { id, source }, { 'price-lists.import.max_file_size': 10 })).toMatchObject({
      ok: false,
      code: 'TOO_LARGE',
    })
  })

  it('is refused for an unknown list, an unknown id and a source that cannot be fetched', async () => {
    const { id } = await pricing.newList()
    await expect(test(999_999, {})).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(test(id, { id: 9 })).rejects.toMatchObject(violations({ id: ['The selected id is invalid.'] }))
    await expect(test(id, { url: 'file:///etc/passwd' })).rejects.toMatchObject(
      violations({ url: ['The url must be an http or https URL.'] }),
    )
    expect(authorizations).toEqual([])
  })
})
