import { afterAll, describe, expect, it } from '@jest/globals'
import { createLog } from '@partsbus/platform/process/log'
import fastify from 'fastify'
import { createErrorHandler } from './error-handler.js'

let thrown: unknown
const warnings: Array<{ err: unknown; text: string }> = []
const log = Object.assign(createLog('gateway', 'silent'), {
  warn: ({ err }: { err?: unknown }, text: string) => void warnings.push({ err, text }),
})
const app = fastify()
app.setErrorHandler(createErrorHandler('message', log))
app.get('/', () => {
  throw thrown
})
afterAll(() => app.close())

async function answerTo(error: unknown) {
  thrown = error
  const { statusCode, headers, body } = await app.inject('/')
  return { statusCode, retryAfter: headers['retry-after'], body: JSON.parse(body) as unknown }
}

describe('errors that have no code of ours (rules.md#error-codes)', () => {
  const unavailable = { statusCode: 503, retryAfter: '5', body: { message: 'Service temporarily unavailable.' } }

  it.each([
    ['a reset connection', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })],
    ['a connection that ended', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })],
  ])('are 503 for %s', async (_, error) => {
    expect(await answerTo(error)).toEqual(unavailable)
    expect(warnings.at(-1)).toEqual({ err: error, text: 'dependency unavailable' })
  })

  it.each([
    ['an error of a library', Object.assign(new Error('bad operator $x'), { code: 2 })],
    ['a defect', new TypeError('x is not a function')],
    ['a value that is no error', 'text'],
  ])('are 500 without their text for %s', async (_, error) => {
    expect(await answerTo(error)).toMatchObject({ statusCode: 500, body: { message: 'Internal server error.' } })
  })
})
