import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/* A Fastify server that receives bodies unparsed and does nothing else. Prints its URL. */

interface Server {
  server: { address(): unknown }
  removeAllContentTypeParsers(): void
  addContentTypeParser(type: string, options: object, parse: (...args: unknown[]) => void): void
  post(path: string, answer: () => Promise<object>): void
  listen(options: object): Promise<unknown>
}

// the gateway's own version, which is no dependency of the benchmarks
const load = createRequire(join(process.argv[2] ?? '', 'services', 'gateway', 'package.json'))
const { fastify } = load('fastify') as { fastify: (options: object) => Server }
const app = fastify({ bodyLimit: 16 * 1024 * 1024 })
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
  (done as (...a: unknown[]) => void)(null, body),
)
app.post('/', async () => ({ processed: 0 }))
await app.listen({ port: 0, host: '127.0.0.1' })
console.log(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}/`)
