import { afterAll, beforeAll, beforeEach } from '@jest/globals'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AnswerError } from '../answer-error.js'

interface Received {
  line: string
  headers: IncomingMessage['headers']
  body: string
}

/** A server that records what it gets, and answers as a spec says. */
export class RecordingGateway {
  baseUrl = ''
  received: Received[] = []
  /** @param count of the requests so far */
  respond: (response: ServerResponse, count: number) => void = () => undefined

  answer(body: unknown, status = 200, headers: Record<string, string> = {}): void {
    this.respond = (response) => {
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
      response.end(JSON.stringify(body))
    }
  }
}

/** One for all specs of a file, which answers `{}` at first. Call it at the top of the file. */
export function useGateway(): RecordingGateway {
  const gateway = new RecordingGateway()
  let server: Server
  beforeAll(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const { method, url, headers } = request
        gateway.received.push({ line: `${method} ${url}`, headers, body: Buffer.concat(chunks).toString('utf8') })
        gateway.respond(response, gateway.received.length)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    gateway.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  beforeEach(() => {
    gateway.received = []
    gateway.answer({})
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return gateway
}

/** The error with which a call fails. */
export async function failure(work: () => Promise<unknown>): Promise<AnswerError> {
  const error: unknown = await work().then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof AnswerError)) throw new Error(`not an AnswerError: ${String(error)}`)
  return error
}

/** A running import, as an administrator sees it. */
export const task = {
  id: 41,
  price_list_id: 7,
  status: 'processing',
  status_label: 'Processing',
  source_type: 'manual',
  total_rows: 2,
  processed_rows: 1,
  imported_rows: 1,
  skipped_rows: 0,
  error_message: null,
  started_at: null,
  completed_at: null,
  file_name: 'price.csv',
  file_size: 3,
  rows_per_second: null,
  superseded: false,
  created_at: '2026-11-22T09:00:00.000Z',
  created_by: 'anna',
  queue_position: null,
  skipped_by_code: {},
  error_code: null,
  is_live: false,
  live_rows: 0,
  merged_into: null,
  warnings: [],
  retry_of: null,
}
