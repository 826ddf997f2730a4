import type { RunningProduct } from '@partsbus/local-stack/running-product'
import autocannon from 'autocannon'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { type Figure, median, round, timed } from '../figures/measure.js'

/** A telephone on a slow line: a quarter of the speed, 1.6 Mbit/s, 150 ms. */
const SLOW_DOWN = 4
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 }
const RUNS = 5
const FILES = 2_000
const COLUMNS = 20
const ROWS = 2_000

/** Collects what the browser reports while a page loads. */
const OBSERVE = `
  window.bench = { lcp: 0, cls: 0, tasks: [] }
  const observe = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true })
  observe('largest-contentful-paint', ({ startTime }) => (window.bench.lcp = startTime))
  observe('layout-shift', ({ value, hadRecentInput }) => hadRecentInput || (window.bench.cls += value))
  observe('longtask', ({ duration }) => window.bench.tasks.push(duration))`

interface Load {
  ms: number
  lcp: number
  cls: number
  blocking: number
}

/** The admin pages on a slow phone, and the static files of the gateway. */
export async function benchPages(product: RunningProduct): Promise<Figure[]> {
  const executablePath = process.env.CHROMIUM_PATH
  if (!executablePath) throw new Error('The benchmark of the pages needs Chromium: name one by CHROMIUM_PATH.')
  const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] })
  try {
    const signIn = await loads(() => openSignIn(browser, product))
    const overview = await loads(() => openOverview(browser, product))
    const mapping = await longestTaskOfMapping(browser, product)
    const files = await fetchFiles(product)
    return [
      atMost('sign-in can be used, cold', median(signIn.map(({ ms }) => ms)), 'ms', 3_000, list(signIn, 'ms')),
      atMost('Overview is filled, warm cache', median(overview.map(({ ms }) => ms)), 'ms', 2_000, list(overview, 'ms')),
      ...(['sign-in', 'Overview'] as const).flatMap((what) => {
        const all = what === 'sign-in' ? signIn : overview
        return [
          atMost(`LCP of ${what}`, median(all.map(({ lcp }) => lcp)), 'ms', 2_500, list(all, 'lcp')),
          atMost(`CLS of ${what}`, median(all.map(({ cls }) => cls)), '', 0.02, list(all, 'cls'), 3),
          atMost(`blocking time of ${what}`, median(all.map((one) => one.blocking)), 'ms', 200, list(all, 'blocking')),
        ]
      }),
      atMost(
        'longest task while mapping',
        mapping,
        'ms',
        200,
        `${ROWS} rows of ${COLUMNS} columns; five columns chosen, and another encoding`,
      ),
      atMost('a static file of the gateway, p99', files.p99, 'ms', 5, `p50 ${round(files.p50)} ms`),
    ]
  } finally {
    await browser.close()
  }
}

const list = (all: Load[], name: keyof Load): string => all.map((one) => round(one[name], 3)).join(', ')

function atMost(what: string, value: number, unit: string, limit: number, detail: string, digits = 1): Figure {
  return { what, value: round(value, digits), unit, goal: `≤ ${limit}`, reached: value <= limit, detail }
}

async function loads(load: () => Promise<Load>): Promise<Load[]> {
  const all: Load[] = []
  while (all.length < RUNS) all.push(await load())
  return all
}

/** A new browser that has nothing in its cache. */
async function openSignIn(browser: Browser, product: RunningProduct): Promise<Load> {
  const context = await browser.newContext({ locale: 'en-US' })
  try {
    return await load(context, `${product.url}/admin/`, (page) => page.getByLabel('Name').fill('anna'))
  } finally {
    await context.close()
  }
}

/** Somebody who has been there before. */
async function openOverview(browser: Browser, product: RunningProduct): Promise<Load> {
  const context = await signedIn(browser, product)
  const isFilled = async (page: Page): Promise<void> => {
    await page.getByRole('heading', { name: 'Services' }).waitFor()
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
  }
  try {
    const first = await context.newPage()
    await first.goto(`${product.url}/admin/`)
    await isFilled(first)
    await first.close()
    return await load(context, `${product.url}/admin/`, isFilled)
  } finally {
    await context.close()
  }
}

async function load(context: BrowserContext, url: string, isUsable: (page: Page) => Promise<void>): Promise<Load> {
  const page = await openSlowPage(context)
  const ms = await timed(async () => {
    await page.goto(url, { waitUntil: 'commit' })
    await isUsable(page)
  })
  const { lcp, cls, tasks } = await readReports(page)
  await page.close()
  return { ms, lcp, cls, blocking: tasks.reduce((total, duration) => total + Math.max(0, duration - 50), 0) }
}

/** A file is shown, its columns are chosen one after another, and it is read in another encoding. */
async function longestTaskOfMapping(browser: Browser, product: RunningProduct): Promise<number> {
  const context = await signedIn(browser, product)
  const send = async (path: string, data: object): Promise<number> => {
    const headers = { authorization: `Bearer ${product.adminToken}` }
    const answer = await context.request.post(`${product.url}/api/admin${path}`, { headers, data })
    return ((await answer.json()) as { id: number }).id
  }
  const storage = await send('/storages', { name: 'Mapped', supplier: { kind: 'price-list' } })
  const id = await send('/price-lists', { name: 'Mapped', storage_id: storage })
  const row = (at: number): string => Array.from({ length: COLUMNS }, (_, column) => `${column}-${at}`).join(';')
  const buffer = Buffer.from(Array.from({ length: ROWS }, (_, at) => row(at)).join('\n'))
  const page = await openSlowPage(context)
  try {
    await page.goto(`${product.url}/admin/price-lists/${id}`)
    await page.locator('input[type=file]').setInputFiles({ name: 'price.csv', mimeType: 'text/csv', buffer })
    await page.getByText(/^No column for: /).waitFor()
    await page.evaluate('window.bench.tasks.length = 0')
    for (const [column, field] of [
      ['Column A', 'brand'],
      ['Column B', 'article'],
      ['Column C', 'name'],
      ['Column D', 'quantity'],
      ['Column E', 'price'],
    ] as const)
      await page.getByLabel(column).selectOption(field)
    await page.getByText(/importable/).waitFor()
    await page.getByLabel('Encoding').selectOption('cp866')
    await page.getByRole('button', { name: 'Discard' }).and(page.locator(':enabled')).waitFor()
    return Math.max(0, ...(await readReports(page)).tasks)
  } finally {
    await context.close()
  }
}

async function signedIn(browser: Browser, product: RunningProduct): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-US' })
  const answer = await context.request.post(`${product.url}/api/admin/session`, {
    headers: { origin: product.url },
    data: { token: product.adminToken },
  })
  if (!answer.ok()) throw new Error(`sign-in answered ${answer.status()}`)
  return context
}

async function openSlowPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.addInitScript(OBSERVE)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', NETWORK)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOW_DOWN })
  return page
}

const readReports = (page: Page): Promise<{ lcp: number; cls: number; tasks: number[] }> =>
  page.evaluate('window.bench') as Promise<{ lcp: number; cls: number; tasks: number[] }>

/** The largest file of the pages, compressed, as a browser asks for it. @returns ms */
async function fetchFiles(product: RunningProduct): Promise<{ p50: number; p99: number }> {
  const html = await (await fetch(`${product.url}/admin/`)).text()
  const path = /href="(\/admin\/assets\/main-[^"]+)"/.exec(html)?.[1]
  if (path === undefined) throw new Error('index.html names no entry')
  const headers = { 'accept-encoding': 'br' }
  const { latency, non2xx } = await autocannon({ url: product.url + path, connections: 1, amount: FILES, headers })
  if (non2xx > 0) throw new Error(`${non2xx} answers were not 2xx`)
  return latency
}
