import { expect } from '@jest/globals'
import { waitFor } from '@partsbus/test-kit/wait-for'
import type { CDPSession, Page } from 'playwright-core'
import { describePages, scenario, usePages } from './browser.js'
import { createList, importFile, priceFile } from './lists.js'

const NAVIGATIONS = 200
/** Before the first measurement every page has been shown, so that its code and its first data are there. */
const WARM_UP = 40
const MOST_GROWTH = 1.3

describePages('memory of the pages', () => {
  const pages = usePages()

  const measure = async (devtools: CDPSession): Promise<{ heap: number; listeners: number }> => {
    await devtools.send('HeapProfiler.collectGarbage')
    const { metrics } = await devtools.send('Performance.getMetrics')
    const read = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
    return { heap: read('JSHeapUsedSize'), listeners: read('JSEventListeners') }
  }
  const NAMES = ['Overview', 'Price lists', 'Imports', 'Products', 'Categories', 'Pictures', 'Search', 'Storages']
  const visitNext = async (page: Page, at: number) => {
    const name = NAMES[at % NAMES.length] ?? ''
    const navigation = page.getByRole('navigation', { name: 'Main navigation' })
    await navigation.getByRole('link', { name: new RegExp(`^${name}`) }).click()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
  }

  scenario(`${NAVIGATIONS} navigations leave the heap and the listeners as they were`, pages, async (visitor) => {
    const { page, context } = visitor
    const list = await createList(pages.admin(), 'Visited')
    await importFile(pages.admin(), list.id, priceFile(['M-1', 'M-2']))
    await visitor.signIn()
    await visitor.open('/')
    const devtools = await context.newCDPSession(page)
    await devtools.send('Performance.enable')
    for (let at = 0; at < WARM_UP; at++) await visitNext(page, at)
    const before = await measure(devtools)
    for (let at = 0; at < NAVIGATIONS; at++) await visitNext(page, at)
    // a collection may wait for a timer or an animation of the page
    const after = await waitFor(
      () => measure(devtools),
      ({ heap, listeners }) => heap / before.heap <= MOST_GROWTH && listeners <= before.listeners,
      60_000,
      1_000,
    )
    console.log(`heap ${before.heap} → ${after.heap} bytes, listeners ${before.listeners} → ${after.listeners}`)
    expect(after.heap / before.heap).toBeLessThanOrEqual(MOST_GROWTH)
    expect(after.listeners).toBeLessThanOrEqual(before.listeners)
  })
})
