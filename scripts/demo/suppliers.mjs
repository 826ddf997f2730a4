// @ts-check
/**
 * HTTP suppliers of the demo, on free loopback ports: one that answers at once, one that takes 3 s, and one that is not
 * there. They answer as long as the demo runs.
 */
import { createServer } from 'node:http'

/**
 * @typedef {{ name: string, base_url: string }} DemoSupplier
 * @typedef {{ suppliers: DemoSupplier[], close: () => void }} DemoSuppliers
 */

const SLOW_MS = 3_000
const PARTS = [
  { brand: 'CLARIS', article: 'OC 1051', name: 'Oil filter', quantity: 14, price: 812.5, delivery_days: 1 },
  { brand: 'Mahle', article: 'OC 1051', name: 'Oil filter, spin-on', quantity: 3, price: 1040, delivery_days: 4 },
  { brand: 'NORDSTOP', article: '09.A820.11', name: 'Brake disc', quantity: 6, price: 3420, delivery_days: 2 },
]

/** @returns {Promise<DemoSuppliers>} */
export async function startSuppliers() {
  const good = await listen(0)
  const slow = await listen(SLOW_MS)
  // nothing listens on its port any more
  const dead = await listen(0)
  dead.close()
  return {
    suppliers: [
      { name: 'Express Parts (demo)', base_url: good.url },
      { name: 'Slow Parts (demo)', base_url: slow.url },
      { name: 'Closed Parts (demo)', base_url: dead.url },
    ],
    close: () => [good, slow].forEach((server) => server.close()),
  }
}

/** @param {number} delayMs */
async function listen(delayMs) {
  const server = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const parts = offers(Buffer.concat(chunks).toString('utf8'))
    const answer =
      request.url === '/brands' ? parts.map(({ brand, article, name }) => ({ brand, article, name })) : parts
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    }, delayMs)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** What a supplier offers for a request `{article, brands?}`. @param {string} body */
function offers(body) {
  /** @type {{ article?: string, brands?: string[] }} */
  const { article = '', brands } = JSON.parse(body || '{}')
  const wanted = brands?.map((brand) => brand.toUpperCase())
  return PARTS.filter(
    (part) => plain(part.article) === plain(article) && (!wanted || wanted.includes(part.brand.toUpperCase())),
  )
}

/** @param {string} article */
function plain(article) {
  return article.toUpperCase().replace(/[^A-Z0-9]/g, '')
}
