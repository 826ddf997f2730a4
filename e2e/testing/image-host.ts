import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Serve = (request: IncomingMessage, response: ServerResponse) => void

/** A web server on loopback for images, which counts requests by path. */
export interface ImageHost {
  /** like `http://127.0.0.1:34567` */
  url: string
  /** Sets the bytes of a path. There is no ETag, so that a change is visible in the bytes only. */
  put(path: string, bytes: Buffer, type?: string): string
  /** Sets the handler of a path. */
  on(path: string, serve: Serve): string
  /** Number of requests for a path. */
  hits(path?: string): number
  close(): Promise<void>
}

/** @param other handler of unknown paths; 404 by default */
export async function startImageHost(other?: Serve): Promise<ImageHost> {
  const routes = new Map<string, Serve>()
  const hits = new Map<string, number>()
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    hits.set(path, (hits.get(path) ?? 0) + 1)
    const serve = routes.get(path) ?? other ?? ((_request, out) => out.writeHead(404).end())
    serve(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const on = (path: string, serve: Serve) => {
    routes.set(path, serve)
    return `${url}${path}`
  }
  return {
    url,
    on,
    put: (path, bytes, type = 'image/png') =>
      on(path, (_request, response) =>
        response.writeHead(200, { 'content-type': type, 'content-length': bytes.length }).end(bytes),
      ),
    hits: (path) =>
      path === undefined ? [...hits.values()].reduce((sum, count) => sum + count, 0) : (hits.get(path) ?? 0),
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
