import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Serve = (request: IncomingMessage, response: ServerResponse) => void

/** A web server on loopback that pictures are fetched from. Counts who asked for what. */
export interface ImageHost {
  /** like `http://127.0.0.1:34567` */
  url: string
  /** Answers with these bytes from now on; no ETag, so that only the bytes can say what changed. */
  put(path: string, bytes: Buffer, type?: string): string
  /** Answers as `serve` does from now on. */
  on(path: string, serve: Serve): string
  /** How often the path was asked for. */
  hits(path?: string): number
  close(): Promise<void>
}

/** @param other answers what no path was given for; 404 unless given */
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
