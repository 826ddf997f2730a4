import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FakeS3 {
  url: string
  close(): Promise<void>
}

/** As much of the S3 protocol as storing and reading objects of one bucket takes. */
export async function startFakeS3(bucket: string): Promise<FakeS3> {
  const objects = new Map<string, Buffer>()
  const server = createServer((request, response) => void answer(objects, bucket, request, response))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

async function answer(
  objects: Map<string, Buffer>,
  bucket: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const key = new URL(request.url ?? '', 'http://s3').pathname
  if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 ') || !key.startsWith(`/${bucket}/`))
    return void response.writeHead(403).end()
  if (request.method === 'PUT') {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    objects.set(key, Buffer.concat(chunks))
    return void response.writeHead(200, { etag: '"1"' }).end()
  }
  const object = objects.get(key)
  if (!object)
    return void response
      .writeHead(404, { 'content-type': 'application/xml' })
      .end('<Error><Code>NoSuchKey</Code></Error>')
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  const start = Number(from ?? 0)
  const end = Math.min(Number(to ?? object.length), object.length - 1)
  response
    .writeHead(206, { 'content-range': `bytes ${start}-${end}/${object.length}`, 'content-length': end - start + 1 })
    .end(object.subarray(start, end + 1))
}
