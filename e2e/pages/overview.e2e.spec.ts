import { expect } from '@jest/globals'
import { describePages, scenario, usePages } from './browser.js'
import { createPerson } from './people.js'

/** The overview is read every 10 s, its parts have 1.5 s, and a busy machine takes longer. */
const NOTICED_WITHIN_MS = 60_000

describePages('the overview', () => {
  const pages = usePages()

  scenario('9: a stopped service is named, the rest stays, and it recovers by itself', pages, async (visitor) => {
    const { page } = visitor
    await visitor.signIn(await createPerson(pages.admin(), pages.product().url, 'viewer'))
    await visitor.open('/')
    const service = page.getByRole('listitem').filter({ hasText: 'supplier-search' })
    const problem = page.getByText('The service supplier-search does not respond')
    await service.getByText('up', { exact: true }).waitFor()
    await pages.product().kill('supplier-search', 'SIGSTOP')
    try {
      await problem.waitFor({ timeout: NOTICED_WITHIN_MS })
      await service.getByText('away', { exact: true }).waitFor()
      for (const part of ['Imports', 'APIs', 'Catalog and stock', 'Services'])
        await page.getByRole('region', { name: part, exact: true }).waitFor()
      await page.getByRole('region', { name: 'Suppliers' }).getByText('This service does not respond.').waitFor()
      expect(await page.getByText('This service does not respond.').count()).toBe(1)
    } finally {
      await pages.product().kill('supplier-search', 'SIGCONT')
    }
    await service.getByText('up', { exact: true }).waitFor()
    await problem.waitFor({ state: 'detached' })
  })
})
