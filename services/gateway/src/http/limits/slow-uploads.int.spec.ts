import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { acceptUpload, getPriceList } from '@partsbus/contracts/pricing-import/commands'
import { formBody, formPartHead, FORM_TYPE, field, file } from '@partsbus/test-kit/form'
import { administer, answerCommand, openRealStage } from '../../testing/gateway-stage.js'
import { openConnection, type RawConnection } from '../../testing/raw-connection.js'
import { ask } from '../../testing/send-request.js'

/** Of each slow upload: above the minimum rate of 16 KiB/s. */
const BYTES_PER_SECOND = 20_000
const STEPS_PER_SECOND = 4

let stage: Awaited<ReturnType<typeof openRealStage>>
let port: number
let authorization: string
const open: RawConnection[] = []
let dripping: NodeJS.Timeout | undefined

beforeAll(async () => {
  stage = await openRealStage('slow_uploads')
  port = (await stage.startGateway()).port
  const { body } = await administer(port, 'PATCH', '/settings', { b2b_enabled: true })
  authorization = `Bearer ${(body.b2b_token as { token: string }).token}`
  answerCommand(stage.nc, getPriceList, ({ body: { id } }) => ({ id, is_active: true }))
  answerCommand(stage.nc, acceptUpload, () => ({ task_id: 1 }))
  await stage.nc.flush()
})
afterAll(async () => {
  clearInterval(dripping)
  for (const { socket } of open) socket.destroy()
  await stage?.close()
})

async function uploadSmall(from: string): Promise<number> {
  const body = formBody([field('id', 7), file('a;b\n1;2\n')])
  const headers = { authorization, 'content-type': FORM_TYPE }
  return (await ask(port, { method: 'POST', url: '/api/b2b/upload-price-list', headers, body, from })).statusCode
}

it('110 slow uploads of one address hold up no small upload, of that address neither (rules.md#overload)', async () => {
  const head = [
    'POST /api/b2b/upload-price-list HTTP/1.1',
    'Host: gateway',
    `Authorization: ${authorization}`,
    `Content-Type: ${FORM_TYPE}`,
    'Content-Length: 20000000',
    '',
    '',
  ].join('\r\n')
  for (let count = 0; count < 110; count += 1) {
    const connection = await openConnection(port, head)
    connection.socket.write(formPartHead(file('')))
    open.push(connection)
  }
  const some = Buffer.alloc(BYTES_PER_SECOND / STEPS_PER_SECOND, 'x')
  dripping = setInterval(() => {
    for (const { socket } of open) if (socket.writable) socket.write(some)
  }, 1_000 / STEPS_PER_SECOND)
  expect(await Promise.all(['127.0.3.1', '127.0.0.1'].map(uploadSmall))).toEqual([200, 200])
  // by now both groups are full of uploads that arrive slowly
  const startedAt = performance.now()
  expect(await Promise.all(['127.0.3.1', '127.0.0.1'].map(uploadSmall))).toEqual([200, 200])
  expect(performance.now() - startedAt).toBeLessThan(15_000)
  expect(open.map(({ text }) => text()).filter((text) => text.startsWith('HTTP/1.1 503 ')).length).toBeGreaterThan(0)
})
