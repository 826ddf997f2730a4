import { expect } from '@jest/globals'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { describePages, scenario, usePages, type Visitor } from './browser.js'
import { createList, ended, importFile, liveArticles, longFile, priceFile, readTask, upload } from './lists.js'
import { createPerson } from './people.js'

/** So many that an import lasts until it is cancelled, however slowly a browser starts. */
const LONG_ROWS = 1_000_000

describePages('imports', () => {
  const pages = usePages()
  const signInAsManager = async (visitor: Visitor) => {
    await visitor.signIn(await createPerson(pages.admin(), pages.product().url, 'manager'))
  }

  scenario('20: a running import is cancelled, and is imported again as a new one', pages, async (visitor) => {
    const { page } = visitor
    const admin = pages.admin()
    const list = await createList(admin, 'Cancelled')
    await importFile(admin, list.id, priceFile(['LIVE-1']))
    await signInAsManager(visitor)
    await visitor.open('/imports')
    await page.getByRole('heading', { name: 'Imports' }).waitFor()
    const id = await upload(admin, list.id, longFile(LONG_ROWS))
    await visitor.open(`/imports/${id}`)
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Cancel this import?' })
    await dialog.getByText('The live offers stay as they are.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel the import' }).click()
    await page.getByText('Cancelled', { exact: true }).waitFor()
    expect(await readTask(admin, id)).toMatchObject({ status: 'failed' })
    expect(await liveArticles(admin, list.id)).toEqual(['LIVE-1'])

    await page.getByRole('button', { name: 'Import again' }).click()
    await page.waitForURL((url) => url.pathname.startsWith('/admin/imports/') && !url.pathname.endsWith(`/${id}`))
    const next = Number(/\/imports\/(\d+)/.exec(visitor.path())?.[1])
    await page.getByRole('heading', { name: `Import ${next}` }).waitFor()
    await page.getByRole('link', { name: `Import ${id}` }).click()
    await page.getByRole('heading', { name: `Import ${id}` }).waitFor()
    await admin.post(`/import-tasks/${next}/cancel`)
    await ended(admin, next)
  })

  scenario('21: a file below the guard is announced, and refused with both numbers', pages, async (visitor) => {
    const { page } = visitor
    const admin = pages.admin()
    const list = await createList(admin, 'Guarded', { min_rows_ratio: 0.5 })
    const before = Array.from({ length: 10 }, (_, at) => `G-${at}`)
    await importFile(admin, list.id, priceFile(before))
    await signInAsManager(visitor)
    await visitor.open(`/price-lists/${list.id}`)
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'few.csv', mimeType: 'text/csv', buffer: Buffer.from(priceFile(['G-0', 'G-1'])) })
    await page
      .getByText('The import would be refused: the file has too few offers compared with the live list.')
      .waitFor()
    await page.getByText('Now live: 10 offers.').waitFor()
    expect(await page.getByRole('button', { name: 'Import this file' }).isDisabled()).toBe(true)
    // a source or a partner may send it all the same
    const { id } = await ended(admin, await upload(admin, list.id, priceFile(['G-0', 'G-1'])))
    await visitor.open(`/imports/${id}`)
    await page.getByText('Failed', { exact: true }).waitFor()
    const why = page.getByText(/^The new list has 2 rows and the active one 10,/)
    await why.waitFor()
    expect((await liveArticles(admin, list.id)).toSorted()).toEqual(before)
  })

  scenario('26: six tabs on running imports leave connections for a seventh page', pages, async (visitor) => {
    const admin = pages.admin()
    const { context } = visitor
    const list = await createList(admin, 'Followed')
    await signInAsManager(visitor)
    // imports of one list run one after another: the others wait as long as the first one runs
    const tasks = [await upload(admin, list.id, longFile(LONG_ROWS))]
    while (tasks.length < 6) tasks.push(await upload(admin, list.id, priceFile([`WAITS-${tasks.length}`])))
    const tabs = await Promise.all(tasks.slice(1).map(() => context.newPage()))
    for (const [at, tab] of [visitor.page, ...tabs].entries()) {
      await tab.goto(`${pages.product().url}/admin/imports/${tasks[at]}`)
      await tab.getByRole('button', { name: 'Cancel', exact: true }).waitFor()
      // another tab is shown
      await tab.evaluate(HIDE)
    }
    expect(await waitFor(readStreams, (open) => open === 0, 30_000)).toBe(0)
    const seventh = await context.newPage()
    await seventh.goto(`${pages.product().url}/admin/imports/${tasks[5]}`)
    await seventh.getByRole('button', { name: 'Cancel', exact: true }).waitFor()
    expect(await waitFor(readStreams, (open) => open === 1, 30_000)).toBe(1)
    await Promise.all(tasks.map((id) => admin.post(`/import-tasks/${id}/cancel`)))
    await seventh.getByText('Cancelled', { exact: true }).waitFor()
    expect(await waitFor(readStreams, (open) => open === 0, 30_000)).toBe(0)
  })

  /** Headless tabs are all visible: the page is told what a browser tells a hidden one. */
  const HIDE = `
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' })
    document.dispatchEvent(new Event('visibilitychange'))`

  /** Streams of events that the gateway has open. */
  const readStreams = async (): Promise<number> => {
    const port = pages.product().processes('gateway')[0]?.management_port
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    return Number(/^admin_event_streams\{[^}]*\} (\d+)$/m.exec(text)?.[1])
  }
})
