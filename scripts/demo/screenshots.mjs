// @ts-check
/**
 * The screenshots of the documentation: which page each shows, and what has to stand on it. `npm run screenshots` takes
 * them, and e2e/pages/screenshots.e2e.spec.ts holds that every page can still be shown so.
 *
 * @typedef {import('playwright-core').Page} Page
 * @typedef {{ name: string, context: import('playwright-core').BrowserContextOptions, show: Show }} Screenshot
 * @typedef {(page: Page, base: string) => Promise<void>} Show
 */

/** A file whose headings Partsbus does not know, so that the mapping has something to choose. */
const UNKNOWN = [
  'Прайс ООО Север;;;;;',
  'Бренд;Код;Описание;Кратность;Сколько есть;Опт, руб',
  'Claris;OC-1051;Фильтр масляный;1;>10;1 234,50',
  'KYB;;Амортизатор передний;1;3;5 100',
  'Mahle;OC 205;Фильтр масляный;1;5;700',
  'Nordstop;09.A820.11;Диск тормозной;2;8;3 420',
].join('\n')

/** @type {Show} */
async function showOverview(page, base) {
  await page.goto(`${base}/admin/`)
  await page.getByRole('heading', { level: 2 }).nth(3).waitFor()
}

/** @type {Show} */
async function showMapping(page, base) {
  await showPreview(page, base)
  await page.getByLabel('Column E').selectOption('quantity')
  await page.getByText('4 rows · 3 importable').waitFor()
}

/** The file as it was dropped: columns are missing. @type {Show} */
async function showPreview(page, base) {
  const list = await findList(page, base)
  await page.goto(`${base}/admin/price-lists/${list}`)
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'price.csv', mimeType: 'text/csv', buffer: Buffer.from(UNKNOWN) })
  await page.waitForURL(/\/format\?preview=/)
  await page.getByRole('table').first().waitFor()
}

/** @type {Show} */
async function showImport(page, base) {
  await page.goto(`${base}/admin/imports?price_list_id=${await findList(page, base)}`)
  await page.getByRole('link', { name: /^\d+$/ }).first().click()
  await page.getByRole('heading', { name: 'Skipped rows' }).waitFor()
  await page.getByRole('cell', { name: 'no article' }).waitFor()
}

/** @type {Show} */
async function showSearch(page, base) {
  await page.goto(`${base}/admin/search?article=OC%201051&brand=CLARIS`)
  await page.getByRole('heading', { name: 'Offers: CLARIS' }).waitFor()
  await page.getByRole('heading', { name: 'Who was asked' }).waitFor()
}

/** @type {Show} */
async function showSettings(page, base) {
  await page.goto(`${base}/admin/settings/erp`)
  await page.getByText(/^….{4}, issued/).waitFor()
}

/** @type {Show} */
async function showProduct(page, base) {
  await page.goto(`${base}/admin/products?q=D-1001`)
  await page.getByRole('rowheader').getByRole('link').first().click()
  await page.getByRole('heading', { name: 'Stock and prices' }).waitFor()
  await page.getByRole('img').first().waitFor()
}

/** The list of the demo with skipped rows. @param {Page} page @param {string} base @returns {Promise<number>} */
async function findList(page, base) {
  const answer = await page.request.get(`${base}/api/admin/price-lists?q=North,%20passenger%20cars`)
  const [list] = /** @type {{ data: { id: number }[] }} */ (await answer.json()).data
  if (list === undefined) throw new Error('The product has no price list of the demo: fill it by `npm run demo`.')
  return list.id
}

const pages = {
  overview: showOverview,
  mapping: showMapping,
  import: showImport,
  search: showSearch,
  settings: showSettings,
  product: showProduct,
}
const wide = { viewport: { width: 1440, height: 900 }, locale: 'en-US' }

/** @type {readonly Screenshot[]} */
export const screenshots = [
  ...Object.entries(pages).flatMap(([name, show]) =>
    /** @type {const} */ (['light', 'dark']).map((colorScheme) => ({
      name: `${name}-${colorScheme}`,
      context: { ...wide, colorScheme },
      show,
    })),
  ),
  { name: 'overview-phone', context: { ...wide, viewport: { width: 390, height: 844 } }, show: showOverview },
  { name: 'mapping-ru', context: { ...wide, locale: 'ru-RU' }, show: showPreview },
]

/** Waits until nothing is under way on the page. @param {Page} page */
export async function settle(page) {
  await page.waitForLoadState('networkidle').catch(() => undefined)
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
}
