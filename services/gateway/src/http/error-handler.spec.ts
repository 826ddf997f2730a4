import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { noteServers } from '@partsbus/platform/mongo/to-app-error'
import { createLog } from '@partsbus/platform/process/log'
import fastify from 'fastify'
import { MongoNetworkError, MongoServerError, ServerType } from 'mongodb'
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

describe('errors of the database of the gateway (rules.md#error-codes)', () => {
  const unavailable = { statusCode: 503, retryAfter: '5', body: { message: 'Service temporarily unavailable.' } }

  beforeAll(() => noteServers([{ type: ServerType.Standalone, topologyVersion: null }]))

  it.each([
    ['a FerretDB without PostgreSQL', new MongoServerError({ message: 'connection refused', code: 1 })],
    ['a server that shuts down', new MongoServerError({ message: 'shutting down', code: 91 })],
    ['a broken connection', new MongoNetworkError('closed')],
  ])('are 503 for %s', async (_, error) => {
    expect(await answerTo(error)).toEqual(unavailable)
    expect(warnings.at(-1)).toEqual({ err: error, text: 'dependency unavailable' })
  })

  it.each([
    ['a refused command', new MongoServerError({ message: 'bad operator $x', code: 2 })],
    ['a value that is no error', 'text'],
  ])('are 500 without their text for %s', async (_, error) => {
    expect(await answerTo(error)).toMatchObject({ statusCode: 500, body: { message: 'Internal server error.' } })
  })
})
