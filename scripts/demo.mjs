// @ts-check
/**
 * `npm run demo`: fills a running product with a small catalogue and price lists, as an administrator and an ERP would,
 * and lists what to look at. BASE_URL (http://127.0.0.1:8080) and ADMIN_TOKEN name the product; the default token is
 * that of STATE_DIR (.state). A product that has data and an ERP token keeps the token: set ERP_TOKEN, or replace the
 * token with `-- --new-token`. Three HTTP suppliers run here until Ctrl-C, and a long import is left under way;
 * `-- --brief` leaves both out.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { categories, pictures, productItems, stockItems } from './demo/catalogue.mjs'
import { drawPicture } from './demo/picture.mjs'
import { longList, priceLists } from './demo/price-lists.mjs'
import { startSuppliers } from './demo/suppliers.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const base = (process.env.BASE_URL || 'http://127.0.0.1:8080').replace(/\/$/, '')
const adminToken = process.env.ADMIN_TOKEN || storedToken()

const isBrief = process.argv.includes('--brief')
const server = await servePictures()
try {
  const before = await call('GET', '/api/admin/settings', adminToken)
  await refuseToReplaceToken(before)
  const storage = await named('/api/admin/storages', { name: 'Main warehouse' })
  const point = await named('/api/admin/pick-up-points', {
    name: 'Магазин на Лесной',
    city: 'Москва',
    address: 'ул. Лесная, 5',
    schedule: '9:00–21:00',
    storage_ids: [storage.id],
  })
  await call('PATCH', '/api/admin/settings', adminToken, {
    erp_enabled: true,
    erp_storage_id: storage.id,
    erp_pick_up_point_id: point.id,
    media_allowed_hosts: [...new Set([...before.media_allowed_hosts, '127.0.0.1'])],
  })
  const token = process.env.ERP_TOKEN || (await call('POST', '/api/admin/settings/erp-token', adminToken, {})).token
  show('categories', await call('POST', '/api/erp/categories/batch-upsert', token, { categories }))
  show('products', await call('POST', '/api/erp/products/batch-upsert', token, { products: productItems(server.url) }))
  show('stock', await call('POST', '/api/erp/stocks/batch-update', token, { stocks: stockItems }))
  const asked = []
  for (const list of priceLists) asked.push(await importList(list))
  if (!isBrief) asked.push(...(await connectSuppliers()), await importList(longList(), { isAwaited: false }))
  const { b2b_token: partner } = await call('PATCH', '/api/admin/settings', adminToken, {
    media_allowed_hosts: before.media_allowed_hosts,
    storages_for_crosses: [...new Set([...before.storages_for_crosses, storage.id, ...asked])],
    ...(!isBrief && { b2b_enabled: true }),
  })
  if (partner?.token !== undefined) await search(partner.token)
  const product = await call('GET', '/api/admin/products/by-erp-id/D-2003', adminToken)
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
  console.error(error instanceof Error ? error.message : error)
  // the suppliers would keep the process alive
  process.exit(1)
}
server.close()

function storedToken() {
  const file = join(resolve(root, process.env.STATE_DIR || '.state'), 'admin-token')
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    console.error(`No admin token in ${file}. Start the product first (npm start), or set ADMIN_TOKEN.`)
    process.exit(1)
  }
}

/** An ERP that works with this product would lose its access. @param {{ erp_token: object | null }} settings */
async function refuseToReplaceToken({ erp_token }) {
  if (erp_token === null || process.env.ERP_TOKEN || process.argv.includes('--new-token')) return
  const { total } = await call('GET', '/api/admin/categories?per_page=1', adminToken)
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
  const test = await call('POST', '/api/admin/storages/test', adminToken, {
    article: 'OC 1051',
    supplier: { kind: 'http', base_url: first?.base_url },
  })
  if (!test.ok) {
    close()
    console.log(`suppliers: left out. ${test.error}`)
    console.log('  Start the product with SUPPLIER_ALLOWED_HOSTS=127.0.0.1 to see them.')
    return []
  }
  const ids = []
  for (const { name, base_url } of suppliers) {
    const supplier = { kind: 'http', base_url, timeout_ms: 4_000 }
    const { id } = await named('/api/admin/storages', { name, supplier })
    // the ports of an earlier run are gone
    await call('PATCH', `/api/admin/storages/${id}`, adminToken, { supplier })
    ids.push(id)
  }
  console.log(`suppliers: one that answers, one that is slow, one that is down; they run here until Ctrl-C`)
  return ids
}

/** Searches as a partner: the pages show what suppliers answered, and that one is down. @param {string} partnerToken */
async function search(partnerToken) {
  const articles = ['OC 1051', '09.A820.11', '11-1000', '11-1001', '22-1000', '22-1001']
  await Promise.all(articles.map((article) => call('POST', '/api/b2b/get-brands', partnerToken, { article })))
}

/**
 * Imports the files of a list, one after another.
 *
 * @param {typeof priceLists[number]} demo
 * @param {{ isAwaited: boolean }} [options]
 * @returns the id of its storage
 */
async function importList({ supplier, list: name, markup_percent, files }, { isAwaited } = { isAwaited: true }) {
  const storage = await named('/api/admin/storages', { name: supplier, supplier: { kind: 'price-list' } })
  const list = await named('/api/admin/price-lists', { name, storage_id: storage.id, markup_percent })
  for (const file of files) {
    const form = new FormData()
    form.set('document', new Blob([file.text]), file.name)
    const task = await send('POST', `/api/admin/price-lists/${list.id}/upload`, adminToken, form)
    if (!isAwaited) {
      console.log(`${file.name}: under way, see ${base}/admin/imports/${task.task_id}`)
      continue
    }
    const { imported_rows, skipped_rows } = await finished(task.task_id)
    console.log(`${file.name}: ${imported_rows} imported, ${skipped_rows} skipped`)
  }
  return storage.id
}

/** The task as soon as it has ended. @param {number} id */
async function finished(id) {
  for (;;) {
    const task = await call('GET', `/api/admin/import-tasks/${id}`, adminToken)
    if (task.status === 'completed') return task
    if (task.status === 'failed') throw new Error(`import ${id} failed: ${task.error_message}`)
    await delay(200)
  }
}

/**
 * The first one of that name, made when there is none. @param {string} path @param {{ name: string } & Record<string,
 * unknown>} body
 */
async function named(path, body) {
  const { data } = await call('GET', `${path}?per_page=500`, adminToken)
  return (
    data.find((/** @type {{name: string}} */ one) => one.name === body.name) ?? call('POST', path, adminToken, body)
  )
}

/** @param {string} method @param {string} path @param {string} token @param {unknown} [body] @returns {Promise<any>} */
async function call(method, path, token, body) {
  if (body === undefined) return send(method, path, token)
  return send(method, path, token, JSON.stringify(body), 'application/json')
}

/**
 * @param {string} method @param {string} path @param {string} token @param {string | FormData} [body]
 * @param {string} [type] of a text @returns {Promise<any>}
 */
async function send(method, path, token, body, type) {
  const answer = await fetch(base + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(type !== undefined && { 'content-type': type }) },
    ...(body !== undefined && { body }),
  }).catch(() => {
    throw new Error(`No answer from ${base}. Start the product with npm start, or give BASE_URL.`)
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
  return text === '' ? undefined : JSON.parse(text)
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
