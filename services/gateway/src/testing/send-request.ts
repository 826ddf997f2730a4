import { request, type IncomingHttpHeaders } from 'node:http'

export interface Answer {
  statusCode: number
  headers: IncomingHttpHeaders
  body: string
  bytes: Buffer
  json(): unknown
}

export interface Question {
  method?: string
  /** as it is written on the wire, never normalised */
  url: string
  headers?: Record<string, string | string[]>
  body?: string | Buffer
  /** the client's address, one of 127.0.0.0/8 */
  from?: string
}

/** One request on a connection of its own. */
export function ask(port: number, { method = 'GET', url, headers = {}, body, from }: Question): Promise<Answer> {
  return new Promise((done, fail) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const sent = request({
      host: '127.0.0.1',
      port,
      method,
      path: url,
      headers: { connection: 'keep-alive', ...length, ...headers },
      agent: false,
      ...(from !== undefined && { localAddress: from }),
    })
    sent.on('error', fail)
    sent.on('response', (response) => {
      const chunks: Buffer[] = []
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('error', fail)
        .on('end', () => {
          const bytes = Buffer.concat(chunks)
          const text = bytes.toString('utf8')
          done({
            statusCode: response.statusCode ?? 0,
            headers: response.headers,
            body: text,
            bytes,
            json: () => JSON.parse(text),
          })
        })
    })
    sent.end(body)
  })
}
