import { expect } from '@jest/globals'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Route } from 'playwright-core'
import { describePages, scenario, usePages, type Visitor } from './browser.js'
import { createList } from './lists.js'

const DIST = join(import.meta.dirname, '../../apps/admin/dist')
const TYPES: Record<string, string> = {
  js: 'text/javascript',
  css: 'text/css',
  html: 'text/html',
  svg: 'image/svg+xml',
}

/** The same pages as another build names them: every chunk has another hash, and nothing else differs. */
function readOlderBuild(): Map<string, string> {
  const files = [...readdirSync(join(DIST, 'assets')).map((name) => `assets/${name}`), 'app.js', 'index.html'].filter(
    (name) => /\.(js|css|html)$/.test(name),
  )
  const hashes = files.flatMap((name) => /-([\w-]{8})\.(?:js|css)$/.exec(name)?.[1] ?? [])
  const rename = (text: string) => hashes.reduce((all, hash) => all.replaceAll(`-${hash}.`, `-${hash}0.`), text)
  const version = readFileSync(join(DIST, 'version.txt'), 'utf8')
  return new Map(
    files.map((name) => [
      `/admin/${rename(name)}`,
      rename(readFileSync(join(DIST, name), 'utf8')).replaceAll(version, 'older'),
    ]),
  )
}

describePages('an upgrade', () => {
  const pages = usePages()
  const older = readOlderBuild()

  /** Pages of the older build until `upgrade`. Documents that were loaded are counted. */
  const serveOlder = async ({ page, problems }: Visitor) => {
    let isUpgraded = false
    const state = { documents: 0, upgrade: () => void (isUpgraded = true) }
    await page.route('**/admin/**', async (route: Route) => {
      const { pathname } = new URL(route.request().url())
      const isDocument = route.request().isNavigationRequest()
      if (isDocument) state.documents += 1
      const name = isDocument ? '/admin/index.html' : pathname
      const body = older.get(name)
      if (isUpgraded || body === undefined) return route.continue()
      return route.fulfill({ body, contentType: TYPES[name.split('.').at(-1) ?? ''] ?? 'text/plain' })
    })
    const forget = () => {
      const isMissing = (problem: string) => /404|could not be loaded|MIME type/.test(problem)
      problems.splice(0, Infinity, ...problems.filter((problem) => !isMissing(problem)))
    }
    return { state, forget }
  }

  scenario('40: an old page whose chunks are gone reloads once, and is not blank', pages, async (visitor) => {
    const { page } = visitor
    const { state, forget } = await serveOlder(visitor)
    await visitor.signIn()
    await visitor.open('/')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect(state.documents).toBe(1)
    state.upgrade()
    await page.getByRole('link', { name: 'Brands' }).click()
    await page.getByRole('heading', { name: 'Brands' }).waitFor()
    expect([visitor.path(), state.documents]).toEqual(['/brands', 2])
    await page.getByRole('link', { name: 'Storages' }).click()
    await page.getByRole('heading', { name: 'Storages' }).waitFor()
    expect(state.documents).toBe(2)
    forget()
  })

  scenario('40: an old index.html starts the pages of the gateway that answers', pages, async (visitor) => {
    const { page } = visitor
    const { state, forget } = await serveOlder(visitor)
    await visitor.signIn()
    // the first replica answers the document alone
    await page.route('**/admin/imports', (route) =>
      route.fulfill({ body: older.get('/admin/index.html') ?? '', contentType: 'text/html' }),
    )
    state.upgrade()
    await visitor.open('/imports')
    await page.getByRole('heading', { name: 'Imports' }).waitFor()
    expect(await page.evaluate('document.styleSheets.length')).toBeGreaterThan(0)
    forget()
  })

  scenario('40: an old page with unsaved changes asks, and keeps them', pages, async (visitor) => {
    const { page } = visitor
    const list = await createList(pages.admin(), 'Upgraded')
    const { state, forget } = await serveOlder(visitor)
    await visitor.signIn()
    await visitor.open(`/price-lists/${list.id}/settings`)
    await page.getByLabel('Markup, %').fill('12')
    state.upgrade()
    await page.getByRole('link', { name: 'Brands' }).hover()
    await page.getByText('A new version of these pages is available.').waitFor()
    expect(await page.getByLabel('Markup, %').inputValue()).toBe('12')
    expect(state.documents).toBe(1)
    forget()
  })
})
