import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { AppError } from '@partsbus/contracts/app-error'
import { subjectOfProcess } from '@partsbus/contracts/message'
import { closeExport, exportOffers, exportSkipped, readExport } from '@partsbus/contracts/pricing-import/commands'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { AdminBrowser } from '../../testing/admin-browser.js'
import { answerCommand, openRealStage } from '../../testing/gateway-stage.js'
import { ask } from '../../testing/send-request.js'

const admin = { authorization: 'Bearer admin-token-of-the-specs' }
const PROCESS = 'process-1'
const CHUNK = Buffer.alloc(64 * 1024, 'x')

let stage: Awaited<ReturnType<typeof openRealStage>>
let gateway: Awaited<ReturnType<typeof stage.startGateway>>
/** makes each chunk of an export, by its number from 0; undefined: it has ended */
let chunk: (at: number) => Uint8Array | undefined
/** what chunks wait for */
let held: Promise<void>
let reading: ReturnType<typeof answerReads>
let opened: object[]
/** chunks that were asked for, of each export */
let reads: Map<string, number>
let closed: string[]

const ofProcess = <C extends { subject: string }>(contract: C): C => ({
  ...contract,
  subject: subjectOfProcess(contract.subject, PROCESS),
})
function open(body: { id: number }, file_name: string, media_type: string) {
  if (body.id !== 7) throw new AppError('NOT_FOUND', 'Not found.')
  opened.push(body)
  return { process: PROCESS, export_id: `export-${opened.length}`, file_name, media_type }
}
const answerReads = () =>
  answerCommand(stage.nc, ofProcess(readExport), async ({ body }) => {
    const at = reads.get(body.export_id) ?? 0
    reads.set(body.export_id, at + 1)
    await held
    return chunk(at) ?? new Uint8Array()
  })

beforeAll(async () => {
  stage = await openRealStage('exports')
  gateway = await stage.startGateway()
  answerCommand(stage.nc, exportOffers, ({ body }) =>
    open(body, `offers-7-v41.${body.format}`, `offers/${body.format}`),
  )
  answerCommand(stage.nc, exportSkipped, ({ body }) => open(body, `skipped-7.${body.format}`, `skipped/${body.format}`))
  answerCommand(stage.nc, ofProcess(closeExport), ({ body }) => {
    closed.push(body.export_id)
    return {}
  })
  reading = answerReads()
  await stage.nc.flush()
})
beforeEach(() => {
  chunk = (at) => [Buffer.from('one;'), CHUNK, Buffer.from(';three')][at]
  held = Promise.resolve()
  opened = []
  reads = new Map()
  closed = []
})
afterAll(() => stage?.close())

const get = (path: string) => ask(gateway.port, { url: `/api/admin${path}`, headers: admin })

describe('GET /price-lists/:id/offers.csv and .xlsx, and /import-tasks/:id/skipped.csv and .xlsx', () => {
  // admin.md#offer-files, admin.md#skipped-files
  it.each([
    ['/price-lists/7/offers.csv', 'offers/csv', 'offers-7-v41.csv'],
    ['/price-lists/7/offers.xlsx', 'offers/xlsx', 'offers-7-v41.xlsx'],
    ['/import-tasks/7/skipped.csv', 'skipped/csv', 'skipped-7.csv'],
    ['/import-tasks/7/skipped.xlsx', 'skipped/xlsx', 'skipped-7.xlsx'],
  ])('%s sends what the service writes', async (path, type, name) => {
    const { statusCode, headers, body } = await get(path)
    expect([statusCode, headers['content-type'], headers['content-disposition']]).toEqual([
      200,
      type,
      `attachment; filename*=UTF-8''${name}`,
    ])
    expect(body).toBe(`one;${CHUNK.toString()};three`)
    expect([...reads]).toEqual([['export-1', 4]])
  })

  it('close the connection when the process that writes the file is gone (admin.md#offer-files)', async () => {
    chunk = (at) => {
      if (at === 2) reading.unsubscribe()
      return CHUNK
    }
    await expect(get('/price-lists/7/offers.csv')).rejects.toThrow()
    reading = answerReads()
    await stage.nc.flush()
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
      async () => opened.length,
      (count) => count === 1,
    )
    expect((await one()).statusCode).toBe(503)
    const second = other()
    await waitFor(
      async () => opened.length,
      (count) => count === 2,
    )
    proceed()
    expect([(await first).statusCode, (await second).statusCode]).toEqual([200, 200])
  })
})
