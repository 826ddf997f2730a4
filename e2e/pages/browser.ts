import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { attachProduct, type RunningProduct } from '@partsbus/local-stack/running-product'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { CHROMIUM_FLAGS } from '../../scripts/test/find-chromium.mjs'
import { ApiClient } from '../testing/api-client.js'

const program = process.env.CHROMIUM_PATH
/** Where the picture of a failure is kept, outside of the tree. */
const FAILURES = join(tmpdir(), 'partsbus-pages')
const WAIT_MS = 30_000

/** Scenarios in a real browser; skipped, and counted so, where no Chromium is to be had. */
export const describePages: typeof describe = (program ? describe : describe.skip) as typeof describe

/** One person at one browser. Reports of the policy, errors of the console and failed requests fail the scenario. */
export interface Visitor {
  page: Page
  context: BrowserContext
  /** opens a path below `/admin` */
  open: (path: string) => Promise<void>
  /** signs in without the page, by the token of the installation or a name and a password */
  signIn: (credential?: { name: string; password: string }) => Promise<void>
  /** the path below `/admin`, with the search */
  path: () => string
  /** problems so far; a scenario that expects one removes it */
  problems: string[]
}

export interface Pages {
  product: () => RunningProduct
  /** the admin API by the token of the installation */
  admin: () => ApiClient
  visit: (options?: BrowserContextOptions) => Promise<Visitor>
}

/**
 * A browser for a spec file, on the product that all scenarios share or on one of its own. Call it in a
 * `describePages`.
 */
export function usePages(start: () => Promise<RunningProduct> = shareProduct): Pages {
  let browser: Browser
  let product: RunningProduct
  let admin: ApiClient
  let visitors: Visitor[] = []
  jest.setTimeout(180_000)
  beforeAll(async () => {
    product = await start()
    admin = new ApiClient(`${product.url}/api/admin`, { authorization: `Bearer ${product.adminToken}` })
    browser = await openBrowser()
  }, 300_000)
  afterEach(async () => {
    const problems = visitors.flatMap((visitor) => visitor.problems)
    await Promise.all(visitors.map(({ context }) => context.close()))
    visitors = []
    expect(problems).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    admin?.close()
    await product?.stop()
  })
  return {
    product: () => product,
    admin: () => admin,
    visit: async (options = {}) => {
      const visitor = await openVisitor(browser, product, options)
      visitors.push(visitor)
      return visitor
    },
  }
}

/** A scenario: its name begins with its number in the plan. A failure leaves a picture of each open page. */
export function scenario(name: string, pages: Pages, run: (visitor: Visitor) => Promise<void>): void {
  it(name, async () => {
    const visitor = await pages.visit()
    try {
      await run(visitor)
    } catch (error) {
      mkdirSync(FAILURES, { recursive: true })
      const path = join(FAILURES, `${name.replace(/\W+/g, '-').slice(0, 60)}.png`)
      await visitor.page.screenshot({ path }).catch(() => undefined)
      throw error
    }
  })
}

/** That which all files share, or one of its own. To close a shared one closes what was opened in it. */
function openBrowser(): Promise<Browser> {
  const shared = process.env.PARTSBUS_TEST_BROWSER
  // a new folder for the profile is made and removed by playwright
  return shared ? chromium.connect(shared) : chromium.launch({ executablePath: program ?? '', args: CHROMIUM_FLAGS })
}

function shareProduct(): Promise<RunningProduct> {
  const shared = process.env.PARTSBUS_TEST_PRODUCT
  if (!shared) throw new Error('No shared product: specs of e2e/pages run in the Jest project `pages`.')
  const { stateDir, adminToken } = JSON.parse(shared) as { stateDir: string; adminToken: string }
  return Promise.resolve(attachProduct(stateDir, adminToken))
}

async function openVisitor(
  browser: Browser,
  product: RunningProduct,
  options: BrowserContextOptions,
): Promise<Visitor> {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1440, height: 900 }, ...options })
  context.setDefaultTimeout(WAIT_MS)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(`error in the page: ${error.message}`))
  page.on('console', (message) => {
    // what the API refuses is part of a scenario; Chromium writes each refusal to the console
    const isRefusal = /\/api\/admin\//.test(message.location().url) && message.text().startsWith('Failed to load')
    if (message.type() === 'error' && !isRefusal) problems.push(`console: ${message.text()}`)
  })
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? ''
    if (why !== 'net::ERR_ABORTED') problems.push(`request failed: ${request.url()} ${why}`)
  })
  page.on('response', (response) => {
    const isPart = new URL(response.url()).pathname.startsWith('/admin')
    if (isPart && response.status() >= 400) problems.push(`${response.status()} ${response.url()}`)
  })
  return {
    page,
    context,
    problems,
    open: async (path) => void (await page.goto(`${product.url}/admin${path}`)),
    signIn: async (credential) => {
      const answer = await context.request.post(`${product.url}/api/admin/session`, {
        headers: { origin: product.url },
        data: credential ? { name: credential.name, password: credential.password } : { token: product.adminToken },
      })
      if (!answer.ok()) throw new Error(`sign-in: ${answer.status()} ${await answer.text()}`)
    },
    path: () => page.url().replace(`${product.url}/admin`, ''),
  }
}
