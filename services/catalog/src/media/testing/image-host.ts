import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A web server on loopback that counts who comes. */
export interface ImageHost {
  url: string
  port: number
  /** paths asked for, in order */
  asked: string[]
  /** connections that were made, whatever was asked over them */
  connections(): number
  /** answers of one path from now on */
  on(path: string, answer: RequestListener): void
  close(): Promise<void>
}

export async function startImageHost(): Promise<ImageHost> {
  const answers = new Map<string, RequestListener>()
  const asked: string[] = []
  let connections = 0
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? ''
    asked.push(path)
    const answer = answers.get(path)
    if (answer) answer(request, response)
    else response.writeHead(404).end('no such image')
  })
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    asked,
    connections: () => connections,
    on: (path, answer) => void answers.set(path, answer),
    close: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** Sends bytes with their length and the given headers. */
export function send(bytes: Buffer, headers: Record<string, string> = {}): RequestListener {
  return (_request, response) =>
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': bytes.length, ...headers }).end(bytes)
}

/** Holds answers back until `open` is called. */
export function gate(answer: RequestListener): RequestListener & { open: () => void } {
  let open = (): void => undefined
  const opened = new Promise<void>((done) => {
    open = done
  })
  const held: RequestListener = (request, response) => void opened.then(() => answer(request, response))
  return Object.assign(held, { open: () => open() })
}
