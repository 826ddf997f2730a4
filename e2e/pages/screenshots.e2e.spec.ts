import { beforeAll, expect } from '@jest/globals'
import { execFile } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { screenshots } from '../../scripts/demo/screenshots.mjs'
import { ROOT } from '../testing/shop.js'
import { describePages, scenario, usePages } from './browser.js'

const FOLDER = join(ROOT, 'docs', 'screenshots')
const MAX_BYTES = 300_000

/** What the specification of the pages and the guides name. */
const NAMES = [
  ...['overview', 'mapping', 'import', 'search', 'settings', 'product'].flatMap((page) => [
    `${page}-light`,
    `${page}-dark`,
    `${page}-ru`,
  ]),
  ...['lists', 'versions', 'offers', 'changes'].flatMap((page) => [`${page}-light`, `${page}-ru`]),
  'overview-phone',
]

describePages('the screenshots', () => {
  const pages = usePages()
  beforeAll(async () => {
    const { url, adminToken } = pages.product()
    await promisify(execFile)(process.execPath, [join(ROOT, 'scripts', 'demo.mjs'), '--new-token', '--brief'], {
      env: { ...process.env, NODE_OPTIONS: '', PARTSBUS_URL: url, ADMIN_TOKEN: adminToken },
    })
  }, 300_000)

  scenario('are complete, and small enough for a page', pages, async () => {
    expect(screenshots.map(({ name }) => name).toSorted()).toEqual(NAMES.toSorted())
    expect(readdirSync(FOLDER).toSorted()).toEqual(NAMES.map((name) => `${name}.png`).toSorted())
    const large = readdirSync(FOLDER).filter((name) => statSync(join(FOLDER, name)).size > MAX_BYTES)
    expect(large).toEqual([])
  })

  // the dark ones show the same
  for (const { name, context, show } of screenshots.filter(({ name: one }) => !one.endsWith('-dark'))) {
    scenario(`${name} can be taken`, pages, async () => {
      const visitor = await pages.visit(context)
      await visitor.signIn()
      await show(visitor.page, pages.product().url)
    })
  }
})
