import type { Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { AppError } from '@partsbus/contracts/errors'
import { describeTaskFile, listOffers, listSkippedRows } from '@partsbus/contracts/pricing-import/commands'
import { waitFor } from '@partsbus/test-kit/wait-for'
import exceljs from 'exceljs'
import { skippedRow } from '../../testing/resources.js'
import { AdminBrowser } from '../../testing/admin-browser.js'
import { openConnection } from '../../testing/raw-connection.js'
import { answerCommand, openRealStage } from '../../testing/gateway-stage.js'
import { ask } from '../../testing/send-request.js'

const admin = { authorization: 'Bearer admin-token-of-the-specs' }
const ROWS = 2_500

let stage: Awaited<ReturnType<typeof openRealStage>>
let gateway: Awaited<ReturnType<typeof stage.startGateway>>
/** rows of the live version; a version that is asked for by its number has as many */
let rows: number
let live: number
let kept: (version: number) => boolean
let named: string
/** what the pages of offers wait for */
let held: Promise<void>
const opened: Socket[] = []
let asked: Array<{ version?: number; after?: number; code?: string; correctable?: boolean }>

const offer = (row: number) => ({
  brand: 'BOSCH',
  article: `00${row}`,
  name: named,
  quantity: 4,
  price: 10.5,
  delivery_days: null,
  row,
})

beforeAll(async () => {
  stage = await openRealStage('exports')
  gateway = await stage.startGateway()
  answerCommand(stage.nc, listOffers, async ({ body }) => {
    asked.push(body)
    await held
    if (body.id !== 7) throw new AppError('NOT_FOUND', 'Not found.')
    const version = body.version ?? live
    if (!kept(version)) throw new AppError('CONFLICT', `Version ${version} is no longer kept.`)
    const after = body.after ?? 0
    const data = Array.from({ length: Math.min(body.per_page, rows - after) }, (_, at) => offer(after + at + 1))
    return { data, total: rows, page: 1, per_page: body.per_page, version, next: data.at(-1)?.row ?? null }
  })
  answerCommand(stage.nc, describeTaskFile, ({ body }) => {
    if (body.id !== 41) throw new AppError('NOT_FOUND', 'Not found.')
    return { file_name: 'p.csv', size: 9, header: { row: 1, cells: ['Бренд', 'Артикул'] } }
  })
  answerCommand(stage.nc, listSkippedRows, ({ body }) => {
    asked.push(body)
    const data = Array.from({ length: 1_100 }, (_, at) => ({ ...skippedRow, row: at + 2 }))
      .filter(({ row }) => row > (body.after_row ?? 0))
      .slice(0, body.per_page)
    return { data, total: data.length, page: 1, per_page: body.per_page }
  })
  await stage.nc.flush()
})
beforeEach(() => {
  rows = ROWS
  live = 41
  held = Promise.resolve()
  named = '=1+1'
  kept = () => true
  asked = []
})
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy()
})
afterAll(() => stage?.close())

const get = (path: string) => ask(gateway.port, { url: `/api/admin${path}`, headers: admin })
function expectFile({ statusCode, headers }: Awaited<ReturnType<typeof get>>, type: string, name: string): void {
  expect([statusCode, headers['content-type'], headers['content-disposition']]).toEqual([
    200,
    type,
    `attachment; filename*=UTF-8''${name}`,
  ])
}
async function firstSheet(bytes: Uint8Array): Promise<exceljs.Worksheet> {
  const workbook = new exceljs.Workbook()
  await workbook.xlsx.load(bytes as never)
  return workbook.worksheets[0] as exceljs.Worksheet
}

describe('GET /price-lists/:id/offers.csv and .xlsx (admin.md#offer-files)', () => {
  it('have all offers of the live version', async () => {
    const csv = await get('/price-lists/7/offers.csv')
    expectFile(csv, 'text/csv; charset=utf-8', 'offers-7-v41.csv')
    const lines = csv.body.split('\r\n')
    expect(lines[0]).toBe('\uFEFFbrand;article;name;quantity;price;delivery_days;row')
    expect([lines[1], lines.length]).toEqual(["BOSCH;001;'=1+1;4;10.5;;1", ROWS + 2])
    const xlsx = await get('/price-lists/7/offers.xlsx')
    expectFile(xlsx, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'offers-7-v41.xlsx')
    const sheet = await firstSheet(xlsx.bytes)
    expect([sheet.rowCount, sheet.getRow(ROWS + 1).values]).toEqual([
      ROWS + 1,
      [undefined, 'BOSCH', `00${ROWS}`, '=1+1', 4, 10.5, undefined, ROWS],
    ])
  })

  it('stay with the version that they began with when another one goes live', async () => {
    kept = () => {
      live = 42
      return true
    }
    expect((await get('/price-lists/7/offers.csv')).headers['content-disposition']).toContain('offers-7-v41.csv')
    expect(asked.map(({ version }) => version)).toEqual([undefined, 41, 41, 41])
  })

  it('close the connection before the end when their version is deleted', async () => {
    kept = () => asked.length < 3
    await expect(get('/price-lists/7/offers.csv')).rejects.toThrow()
    asked = []
    await expect(get('/price-lists/7/offers.xlsx')).rejects.toThrow()
  })

  it('take the filters of the list', async () => {
    expect((await get('/price-lists/7/offers.csv?article=00-1&brand=bosch')).statusCode).toBe(200)
    expect(asked[0]).toMatchObject({ article: '00-1', brand: 'bosch' })
    expect((await get(`/price-lists/7/offers.xlsx?article=${'x'.repeat(192)}`)).statusCode).toBe(422)
  })

  it('leave no thread behind when their client goes away before the first bytes', async () => {
    const threads = async () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length
    const before = await threads()
    await get('/price-lists/7/offers.xlsx')
    for (let round = 0; round < 6; round++) {
      asked = []
      const { socket } = await openConnection(
        gateway.port,
        `GET /api/admin/price-lists/7/offers.xlsx HTTP/1.1\r\n` +
          `Host: gateway\r\nAuthorization: ${admin.authorization}\r\n\r\n`,
      )
      opened.push(socket)
      // the first page was asked for, and the thread has not started yet
      await waitFor(
        async () => asked.length,
        (pages) => pages > 0,
        20_000,
        1,
      )
      socket.destroy()
      await waitFor(threads, (count) => count > before, 20_000, 1)
    }
    expect(await waitFor(threads, (count) => count <= before, 20_000)).toBe(before)
  })

  it('of one session leave a workbook to the others (rules.md#overload)', async () => {
    const signIn = async () => {
      const browser = new AdminBrowser(gateway.port)
      expect((await browser.send('POST', '/session', { token: 'admin-token-of-the-specs' })).status).toBe(200)
      return () =>
        ask(gateway.port, { url: '/api/admin/price-lists/7/offers.xlsx', headers: { cookie: browser.cookie ?? '' } })
    }
    const [one, other] = [await signIn(), await signIn()]
    let proceed: () => void = () => undefined
    held = new Promise((resolve) => {
      proceed = resolve
    })
    const first = one()
    await waitFor(
      async () => asked.length,
      (pages) => pages === 1,
    )
    expect((await one()).statusCode).toBe(503)
    const second = other()
    await waitFor(
      async () => asked.length,
      (pages) => pages === 2,
    )
    proceed()
    expect([(await first).statusCode, (await second).statusCode]).toEqual([200, 200])
  })

  it('drop the characters that a workbook cannot have', async () => {
    const name = 'a\u0001b\uFFFEc\uFFFF\uD800d 😀'
    named = name
    const sheet = await firstSheet((await get('/price-lists/7/offers.xlsx')).bytes)
    expect(sheet.getCell('C2').value).toBe('abcd 😀')
  })

  it.each(['csv', 'xlsx'])('404 for an unknown list (%s)', async (format) => {
    expect((await get(`/price-lists/9/offers.${format}`)).statusCode).toBe(404)
  })

  it.each(['csv', 'xlsx'])('are read no faster than they are received, and no longer (%s)', async (format) => {
    rows = 5_000_000
    const client = await openConnection(
      gateway.port,
      `GET /api/admin/price-lists/7/offers.${format} HTTP/1.1\r\n` +
        `Host: gateway\r\nAuthorization: ${admin.authorization}\r\n\r\n`,
    )
    client.socket.pause()
    opened.push(client.socket)
    let before = -1
    const isQuiet = async () => {
      const quiet = asked.length > 1 && asked.length === before
      before = asked.length
      return quiet
    }
    // what the buffers of the socket hold is read as well
    await waitFor(isQuiet, Boolean, 60_000, 1_000)
    expect(asked.length).toBeLessThan(1_000)
    client.socket.destroy()
    const count = asked.length
    await waitFor(isQuiet, Boolean, 20_000, 1_000)
    expect(asked.length - count).toBeLessThan(10)
  })
})

describe('GET /import-tasks/:id/skipped.csv and .xlsx (admin.md#skipped-files)', () => {
  it('have all rows, whatever their number, below the header of the file', async () => {
    const csv = await get('/import-tasks/41/skipped.csv')
    expectFile(csv, 'text/csv; charset=utf-8', 'skipped-41.csv')
    const lines = csv.body.split('\r\n')
    expect(lines[0]).toBe('\uFEFFБренд;Артикул;;;;skipped_row;skipped_code;skipped_message')
    expect(lines[1]).toBe('BOSCH;0 986 424 590;Колодки;?;1 234,50;2;BAD_QUANTITY;The quantity is not understood.')
    expect(lines).toHaveLength(1_102)
    const sheet = await firstSheet((await get('/import-tasks/41/skipped.xlsx')).bytes)
    expect([sheet.name, sheet.rowCount, sheet.getCell('B1').value, sheet.getCell('E2').value]).toEqual([
      'Skipped rows',
      1_101,
      'Артикул',
      '1 234,50',
    ])
  })

  it('are limited by reason, and to the rows that a correction can help', async () => {
    await get('/import-tasks/41/skipped.csv?code=BAD_PRICE')
    expect(asked.every(({ code }) => code === 'BAD_PRICE')).toBe(true)
    asked = []
    await get('/import-tasks/41/skipped.xlsx?correctable=true')
    expect(asked.every(({ correctable }) => correctable === true)).toBe(true)
    expect((await get('/import-tasks/41/skipped.csv?correctable=yes')).statusCode).toBe(422)
  })

  it.each(['csv', 'xlsx'])('404 for an unknown import (%s)', async (format) => {
    expect((await get(`/import-tasks/42/skipped.${format}`)).statusCode).toBe(404)
  })
})
