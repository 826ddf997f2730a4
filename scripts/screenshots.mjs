// @ts-check
/**
 * `npm run screenshots`: takes the pictures of the documentation from a running product that `npm run demo` has filled.
 * BASE_URL (http://127.0.0.1:8080) and ADMIN_TOKEN name the product; Chromium as for the scenarios of the pages.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { findOrInstallChromium, HOW_TO_GET } from './test/find-chromium.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const base = (process.env.BASE_URL || 'http://127.0.0.1:8080').replace(/\/$/, '')
const folder = join(root, 'docs', 'screenshots')
const token =
  process.env.ADMIN_TOKEN ||
  readFileSync(join(resolve(root, process.env.STATE_DIR || '.state'), 'admin-token'), 'utf8').trim()

/** A file whose headings Partsbus does not know, so that the mapping has something to choose. */
const UNKNOWN = [
  'Прайс ООО Север;;;;;',
  'Бренд;Код;Описание;Кратность;Сколько есть;Опт, руб',
  'Claris;OC-1051;Фильтр масляный;1;>10;1 234,50',
  'KYB;;Амортизатор передний;1;3;5 100',
  'Mahle;OC 205;Фильтр масляный;1;5;700',
  'Nordstop;09.A820.11;Диск тормозной;2;8;3 420',
].join('\n')

const executablePath = findOrInstallChromium(console.error)
if (executablePath === undefined) {
  console.error(HOW_TO_GET)
  process.exit(1)
}
mkdirSync(folder, { recursive: true })
const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] })

try {
  for (const theme of /** @type {const} */ (['light', 'dark'])) {
    const page = await open({ colorScheme: theme })
    await page.goto(`${base}/admin/`)
    await take(page, `overview-${theme}`)
    await preview(page)
    await page.getByLabel('Column E').selectOption('quantity')
    await page.getByText('4 rows · 3 importable').waitFor()
    await take(page, `mapping-${theme}`)
    await page.goto(`${base}/admin/imports?page=1`)
    await page.getByRole('link', { name: /^\d+$/ }).nth(1).click()
    await page.getByRole('heading', { name: 'Skipped rows' }).waitFor()
    await take(page, `import-${theme}`)
    await page.goto(`${base}/admin/search?article=OC%201051&brand=CLARIS`)
    await page.getByRole('heading', { name: 'Who was asked' }).waitFor()
    await take(page, `search-${theme}`)
    await page.goto(`${base}/admin/settings/erp`)
    await take(page, `settings-${theme}`)
    await page.goto(`${base}/admin/products?q=D-1001`)
    await page.getByRole('rowheader').getByRole('link').first().click()
    await page.getByRole('heading', { name: 'Stock and prices' }).waitFor()
    await take(page, `product-${theme}`)
    await page.context().close()
  }
  const phone = await open({ viewport: { width: 390, height: 844 } })
  await phone.goto(`${base}/admin/`)
  await take(phone, 'overview-phone')
  const russian = await open({ locale: 'ru-RU' })
  await preview(russian)
  await take(russian, 'mapping-ru')
} finally {
  await browser.close()
}

/** @param {import('playwright-core').BrowserContextOptions} options */
async function open(options) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US', ...options })
  const answer = await context.request.post(`${base}/api/admin/session`, {
    headers: { origin: base },
    data: { token },
  })
  if (!answer.ok()) throw new Error(`sign-in answered ${answer.status()}: ${await answer.text()}`)
  return context.newPage()
}

/** Opens the file on the page of the format. @param {import('playwright-core').Page} page */
async function preview(page) {
  await page.goto(`${base}/admin/price-lists`)
  await page.getByRole('link', { name: 'North, passenger cars' }).click()
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'price.csv', mimeType: 'text/csv', buffer: Buffer.from(UNKNOWN) })
  await page.waitForURL(/\/format\?preview=/)
  await page.getByRole('table').first().waitFor()
}

/** @param {import('playwright-core').Page} page @param {string} name */
async function take(page, name) {
  await page.waitForLoadState('networkidle').catch(() => undefined)
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
  console.log(`docs/screenshots/${name}.png`)
}
