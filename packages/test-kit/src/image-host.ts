import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A web server on loopback for images, which records the requested paths. */
export interface ImageHost {
  /** like `http://127.0.0.1:34567` */
  url: string
  port: number
  /** the requested paths, in order */
  requests: string[]
  /** number of connections made so far */
  connections(): number
  /** Sets the handler of a path. @returns the URL of the path */
  on(path: string, handler: RequestListener): string
  /** Sets the bytes of a path, without an ETag. @returns the URL of the path */
  put(path: string, bytes: Buffer, type?: string): string
  /** number of requests for a path, or for all */
  hits(path?: string): number
  close(): Promise<void>
}

/** @param other handler of unknown paths; 404 by default */
export async function startImageHost(
  other: RequestListener = (_request, response) => response.writeHead(404).end('no such image'),
): Promise<ImageHost> {
  const handlers = new Map<string, RequestListener>()
  const requests: string[] = []
  let connections = 0
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    requests.push(path)
    const handler = handlers.get(path) ?? other
    handler(request, response)
  })
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const on = (path: string, handler: RequestListener): string => {
    handlers.set(path, handler)
    return `${url}${path}`
  }
  return {
    url,
    port,
    requests,
    connections: () => connections,
    on,
    put: (path, bytes, type = 'image/png') => on(path, sendImage(bytes, { 'content-type': type })),
    hits: (path) => (path === undefined ? requests.length : requests.filter((each) => each === path).length),
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

/** A handler that sends the bytes with their length and the given headers. */
export function sendImage(bytes: Buffer, headers: Record<string, string> = {}): RequestListener {
  return (_request, response) =>
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': bytes.length, ...headers }).end(bytes)
}

/** A handler that waits until `open` is called. */
export function gate(handler: RequestListener): RequestListener & { open: () => void } {
  let open = (): void => undefined
  const opened = new Promise<void>((done) => {
    open = done
  })
  const gated: RequestListener = (request, response) => void opened.then(() => handler(request, response))
  return Object.assign(gated, { open: () => open() })
}
