import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An http supplier of the `standard` dialect with one brand and one offer of every article. */
export interface FakeSupplier {
  url: string
  stop(): Promise<void>
}

export async function startFakeSupplier(): Promise<FakeSupplier> {
  const server = createServer((request, response) => {
    let text = ''
    request
      .setEncoding('utf8')
      .on('data', (chunk: string) => {
        text += chunk
      })
      .on('end', () => {
        const { article } = JSON.parse(text) as { article: string }
        const row = { brand: 'FAKE', article, name: 'From outside', quantity: 1, price: 5 }
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify([row]))
      })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
