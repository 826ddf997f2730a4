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
async function showLists(page, base) {
  await page.goto(`${base}/admin/price-lists`)
  await page.getByRole('rowheader').nth(1).waitFor()
}

/** The file as it was dropped, with the missing column chosen. @type {Show} */
async function showMapping(page, base) {
  const list = await findList(page, base)
  await page.goto(`${base}/admin/price-lists/${list}`)
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'price.csv', mimeType: 'text/csv', buffer: Buffer.from(UNKNOWN) })
  await page.waitForURL(/\/format\?preview=/)
  await page.getByLabel(/^(Column|Колонка) E$/).selectOption('quantity')
  await page.getByText(/^4 (rows · 3 importable|строки · подходят: 3)/).waitFor()
}

/** @type {Show} */
async function showImport(page, base) {
  await page.goto(`${base}/admin/imports?price_list_id=${await findList(page, base)}`)
  await page.getByRole('link', { name: /^\d+$/ }).first().click()
  await page.getByRole('heading', { name: /^(Skipped rows|Пропущенные строки)$/ }).waitFor()
  await page.getByRole('cell', { name: /^(no article|нет артикула)$/ }).waitFor()
}

/** @type {Show} */
async function showVersions(page, base) {
  await page.goto(`${base}/admin/price-lists/${await findList(page, base)}`)
  await page
    .getByRole('button', { name: /^(Make it live|Вернуть)/ })
    .first()
    .waitFor()
}

/** @type {Show} */
async function showOffers(page, base) {
  await page.goto(`${base}/admin/price-lists/${await findList(page, base)}/offers?brand=CLARIS&price_to=1000`)
  await page.getByRole('rowheader', { name: '11-1000' }).waitFor()
}

/** @type {Show} */
async function showChanges(page, base) {
  await page.goto(`${base}/admin/price-lists/${await findList(page, base)}/changes`)
  await page.getByText(/^(dearer|подорожали): [1-9]/).waitFor()
}

/** @type {Show} */
async function showSearch(page, base) {
  await page.goto(`${base}/admin/search?article=OC%201051&brand=CLARIS`)
  await page.getByRole('heading', { name: /^(Offers|Предложения): CLARIS$/ }).waitFor()
  await page.getByRole('heading', { name: /^(Who was asked|Опрошенные поставщики)$/ }).waitFor()
}

/** @type {Show} */
async function showSettings(page, base) {
  await page.goto(`${base}/admin/settings/erp`)
  await page.getByText(/^….{4}, (issued|выдан)/).waitFor()
}

/** @type {Show} */
async function showProduct(page, base) {
  await page.goto(`${base}/admin/products?q=D-1001`)
  await page.getByRole('rowheader').getByRole('link').first().click()
  await page.getByRole('heading', { name: /^(Stock and prices|Остатки и цены)$/ }).waitFor()
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
/** Only the guides show them. */
const ofGuides = { lists: showLists, versions: showVersions, offers: showOffers, changes: showChanges }
const wide = { viewport: { width: 1440, height: 900 }, locale: 'en-US' }
/** The totals and the buttons stand below the file. @param {string} name */
const frame = (name) => (name === 'mapping' ? { ...wide, viewport: { width: 1440, height: 1400 } } : wide)

/** @type {readonly Screenshot[]} */
export const screenshots = [
  ...Object.entries({ ...pages, ...ofGuides }).flatMap(([name, show]) => [
    { name: `${name}-light`, context: { ...frame(name), colorScheme: /** @type {const} */ ('light') }, show },
    { name: `${name}-ru`, context: { ...frame(name), locale: 'ru-RU' }, show },
  ]),
  ...Object.entries(pages).map(([name, show]) => ({
    name: `${name}-dark`,
    context: { ...frame(name), colorScheme: /** @type {const} */ ('dark') },
    show,
  })),
  { name: 'overview-phone', context: { ...wide, viewport: { width: 390, height: 844 } }, show: showOverview },
]

/** Waits until nothing is under way on the page. @param {Page} page */
export async function settle(page) {
  await page.waitForLoadState('networkidle').catch(() => undefined)
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
}
