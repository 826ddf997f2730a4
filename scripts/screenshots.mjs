// @ts-check
/**
 * `npm run screenshots`: takes the screenshots of the documentation from a running product that `npm run demo` has
 * filled; all, or those whose names are given (`-- offers-light offers-ru`). PARTSBUS_URL and ADMIN_TOKEN name the
 * product, without them it is that of STATE_DIR; Chromium as for the scenarios of the pages.
 */
import './node/on-supported-node.mjs'
import { mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gatewayUrl, storedAdminToken } from '@partsbus/cli/installation'
import { chromium } from 'playwright-core'
import { screenshots, settle } from './demo/screenshots.mjs'
import { findOrInstallChromium, HOW_TO_GET } from './test/find-chromium.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const env = { ...process.env, STATE_DIR: resolve(root, process.env.STATE_DIR || '.state') }
const base = gatewayUrl(env)
const folder = join(root, 'docs', 'screenshots')
const token = process.env.ADMIN_TOKEN || storedAdminToken(env)

const names = process.argv.slice(2)
const wanted = screenshots.filter(({ name }) => names.length === 0 || names.includes(name))

const executablePath = findOrInstallChromium(console.error)
if (executablePath === undefined) {
  console.error(HOW_TO_GET)
  process.exit(1)
}
mkdirSync(folder, { recursive: true })
const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] })

try {
  for (const { name, context: options, show } of wanted) {
    const context = await browser.newContext(options)
    const answer = await context.request.post(`${base}/api/admin/session`, {
      headers: { origin: base },
      data: { token },
    })
    if (!answer.ok()) throw new Error(`sign-in answered ${answer.status()}: ${await answer.text()}`)
    const page = await context.newPage()
    await show(page, base)
    await settle(page)
    await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
    await context.close()
    console.log(`docs/screenshots/${name}.png`)
  }
} finally {
  await browser.close()
}
