// @ts-check
/** `npm run demo`: fills a running product as an administrator and an ERP would, and lists what to look at. */
import './node/on-supported-node.mjs'
import { createServer } from 'node:http'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gatewayUrl, storedAdminToken } from '@partsbus/cli/installation'
import { createAdminClient } from '@partsbus/client/admin-client'
import { createErpClient } from '@partsbus/client/erp-client'
import { createPartnerClient } from '@partsbus/client/partner-client'
import { categories, pictures, productItems, stockItems } from './demo/catalogue.mjs'
import { drawPicture } from './demo/picture.mjs'
import { longList, priceLists } from './demo/price-lists.mjs'
import { startSuppliers } from './demo/suppliers.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const HELP = `npm run demo -- [--brief] [--new-token]

Fills the running product with a small catalogue and price lists, and lists what to look at.

  --brief       without the three HTTP suppliers, which run here until Ctrl-C, and without a long import
  --new-token   replaces the ERP token of a product that has data; ERP_TOKEN names it instead

The product is the one of npm start in STATE_DIR (.state). PARTSBUS_URL and ADMIN_TOKEN name another one.
The suppliers need a product that may reach them: SUPPLIER_ALLOWED_HOSTS=127.0.0.1 npm start`

if (process.argv.includes('--help')) {
  console.log(HELP)
  process.exit(0)
}
const env = { ...process.env, STATE_DIR: resolve(root, process.env.STATE_DIR || '.state') }
const base = gatewayUrl(env)
const adminToken = process.env.ADMIN_TOKEN || storedToken()
const admin = createAdminClient({ baseUrl: base, token: adminToken })

const isBrief = process.argv.includes('--brief')
const server = await servePictures()
try {
  const before = await admin('GET /settings')
  await refuseToReplaceToken(before)
  const storage = await named('/storages', { name: 'Main warehouse' })
  const point = await named('/pick-up-points', {
    name: 'Магазин на Лесной',
    city: 'Москва',
    address: 'ул. Лесная, 5',
    schedule: '9:00–21:00',
    storage_ids: [storage.id],
  })
  await admin('PATCH /settings', {
    body: {
      erp_enabled: true,
      erp_storage_id: storage.id,
      erp_pick_up_point_id: point.id,
      media_allowed_hosts: [...new Set([...before.media_allowed_hosts, '127.0.0.1'])],
    },
  })
  const token = process.env.ERP_TOKEN || (await admin('POST /settings/erp-token')).token
  const erp = createErpClient({ baseUrl: base, token })
  show('categories', await erp('POST /categories/batch-upsert', { body: categories }))
  show('products', await erp('POST /products/batch-upsert', { body: productItems(server.url) }))
  show('stock', await erp('POST /stocks/batch-update', { body: stockItems }))
  const asked = []
  for (const list of priceLists) asked.push(await importList(list))
  if (!isBrief) asked.push(...(await connectSuppliers()), await importList(longList(), { isAwaited: false }))
  const { b2b_token: partner } = await admin('PATCH /settings', {
    body: {
      media_allowed_hosts: before.media_allowed_hosts,
      storages_for_crosses: [...new Set([...before.storages_for_crosses, storage.id, ...asked])],
      ...(!isBrief && { b2b_enabled: true }),
    },
  })
  if (partner?.token !== undefined) await search(partner.token)
  const product = await admin('GET /products/by-erp-id/*', { params: { erp_id: 'D-2003' } })
  console.log(`
The ERP token of this product is
  ${token}${partner?.token === undefined ? '' : `\nThe token for partners is\n  ${partner.token}`}

Look at
  ${base}/admin
  ${base}/docs
  ${product.media[0]?.url ?? '(the pictures are still being fetched)'}
  curl -H 'Authorization: Bearer ${adminToken}' '${base}/api/admin/products?q=фильтр'
  curl -H 'Authorization: Bearer ${adminToken}' ${base}/api/admin/products/by-erp-id/D-2003
  curl -H 'Authorization: Bearer ${adminToken}' '${base}/api/admin/supplies?product_erp_id=D-2003'
  curl -H 'Authorization: Bearer ${adminToken}' ${base}/api/admin/audit`)
} catch (error) {
  // fetch says no more than that it failed
  const isSilent = error instanceof TypeError && error.message === 'fetch failed'
  const text = isSilent ? `No answer from ${base}. Start the product with npm start, or set PARTSBUS_URL.` : error
  console.error(text instanceof Error ? text.message : text)
  // the suppliers would keep the process alive
  process.exit(1)
}
server.close()

function storedToken() {
  const token = storedAdminToken(env)
  if (token !== undefined) return token
  console.error(`No admin token in ${env.STATE_DIR}. Start the product first (npm start), or set ADMIN_TOKEN.`)
  process.exit(1)
}

/** An ERP that works with this product would lose its access. @param {{ erp_token: object | null }} settings */
async function refuseToReplaceToken({ erp_token }) {
  if (erp_token === null || process.env.ERP_TOKEN || process.argv.includes('--new-token')) return
  const { total } = await admin('GET /categories', { query: { per_page: 1 } })
  if (total === 0) return
  throw new Error(
    `${base} has data and an ERP token. Set that token (ERP_TOKEN=… npm run demo), ` +
      'or replace it: npm run demo -- --new-token',
  )
}

/** @returns the ids of the suppliers' storages; none where the product may not reach them */
async function connectSuppliers() {
  const { suppliers, close } = await startSuppliers()
  const [first] = suppliers
  const test = await admin('POST /storages/test', {
    body: { article: 'OC 1051', supplier: { kind: 'http', base_url: first?.base_url ?? '' } },
  })
  if (!test.ok) {
    close()
    console.log(`suppliers: left out. ${test.error}`)
    console.log('  Start the product with SUPPLIER_ALLOWED_HOSTS=127.0.0.1 to see them.')
    return []
  }
  const ids = []
  for (const { name, base_url } of suppliers) {
    const supplier = /** @type {const} */ ({ kind: 'http', base_url, timeout_ms: 4_000 })
    const { id } = await named('/storages', { name, supplier })
    // the ports of an earlier run are gone
    await admin('PATCH /storages/:id', { params: { id }, body: { supplier } })
    ids.push(id)
  }
  console.log(`suppliers: one that answers, one that is slow, one that is down; they run here until Ctrl-C`)
  return ids
}

/** Searches as a partner: the pages show what suppliers answered, and that one is down. @param {string} partnerToken */
async function search(partnerToken) {
  const articles = ['OC 1051', '09.A820.11', '11-1000', '11-1001', '22-1000', '22-1001']
  const partner = createPartnerClient({ baseUrl: base, token: partnerToken })
  await Promise.all(articles.map((article) => partner('POST /get-brands', { body: { article } })))
}

/**
 * Imports the files of a list, one after another.
 *
 * @param {typeof priceLists[number]} demo
 * @param {{ isAwaited: boolean }} [options]
 * @returns the id of its storage
 */
async function importList({ supplier, list: name, markup_percent, files }, { isAwaited } = { isAwaited: true }) {
  const storage = await named('/storages', { name: supplier, supplier: { kind: 'price-list' } })
  const list = await named('/price-lists', { name, storage_id: storage.id, markup_percent })
  for (const file of files) {
    const task = await admin.upload('POST /price-lists/:id/upload', {
      params: { id: list.id },
      file: new Blob([file.text]),
      fileName: file.name,
    })
    if (!isAwaited) {
      console.log(`${file.name}: under way, see ${base}/admin/imports/${task.task_id}`)
      continue
    }
    const { status, imported_rows, skipped_rows, error_message } = await admin.wait(task.task_id)
    if (status === 'failed') throw new Error(`import ${task.task_id} failed: ${error_message}`)
    console.log(`${file.name}: ${imported_rows} imported, ${skipped_rows} skipped`)
  }
  return storage.id
}

/**
 * The first one of that name, made when there is none.
 *
 * @param {'/storages' | '/pick-up-points' | '/price-lists'} path
 * @param {any} body
 * @returns {Promise<{ id: number }>}
 */
async function named(path, body) {
  /** @type {{ id: number, name: string }[]} */
  const found = (await admin(`GET ${path}`, { query: { per_page: 500 } })).data
  return found.find(({ name }) => name === body.name) ?? admin(`POST ${path}`, { body })
}

/** @param {string} what @param {{errors: {message: string}[]}} result */
function show(what, result) {
  const { errors, ...counts } = result
  console.log(
    `${what}: ${Object.entries(counts)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ')}`,
  )
  for (const { message } of errors) console.log(`  ${message}`)
}

/** Serves the drawn pictures on a free loopback port. */
async function servePictures() {
  const http = createServer((request, response) => {
    const look = pictures[decodeURIComponent((request.url ?? '').slice(1))]
    if (look) response.writeHead(200, { 'content-type': 'image/png' }).end(drawPicture(look))
    else response.writeHead(404).end()
  })
  await new Promise((done) => http.listen(0, '127.0.0.1', () => done(undefined)))
  const address = http.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      http.close()
      http.closeAllConnections()
    },
  }
}
