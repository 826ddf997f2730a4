import { expect } from '@jest/globals'
import { startProduct } from '@partsbus/local-stack/running-product'
import { ROOT } from '../testing/shop.js'
import { describePages, scenario, usePages } from './browser.js'
import { priceFile } from './lists.js'

describePages('an empty product', () => {
  const pages = usePages(() => startProduct({ root: ROOT }))

  scenario('6: five steps are ticked one after another, and all is well', pages, async (visitor) => {
    const { page } = visitor
    await visitor.signIn()
    await visitor.open('/')
    const steps = page.getByRole('region', { name: 'First steps' })
    const ticked = async (...names: string[]) => {
      await page.getByRole('link', { name: 'Overview' }).click()
      await steps
        .getByText('(done)')
        .nth(names.length - 1)
        .waitFor({ state: 'attached' })
      const done = steps.getByRole('listitem').filter({ hasText: '(done)' })
      expect(await done.getByRole('link').allInnerTexts()).toEqual(names)
    }
    await steps.getByRole('link').nth(4).waitFor()
    expect(await steps.getByRole('link').allInnerTexts()).toEqual([
      'Import the first price list',
      'Add a storage',
      'Add a pick-up point',
      'Open the ERP API',
      'Open the partner API',
    ])
    expect(await steps.getByText('(done)').count()).toBe(0)
    await page.getByRole('link', { name: 'Search', exact: true }).click()
    await page.getByText('There are no pick-up points yet: the storages in the settings are asked.').waitFor()
    await page.getByRole('link', { name: 'Overview' }).click()

    await steps.getByRole('link', { name: 'Add a storage' }).click()
    await page.getByRole('link', { name: 'New storage' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('Warehouse')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Warehouse' }).waitFor()
    await ticked('Add a storage')

    await steps.getByRole('link', { name: 'Add a pick-up point' }).click()
    await page.getByRole('link', { name: 'New point' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('Shop')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Shop' }).waitFor()
    await ticked('Add a storage', 'Add a pick-up point')

    await steps.getByRole('link', { name: 'Open the ERP API' }).click()
    await page.getByText('Not ready: storage, pick-up point, token missing').waitFor()
    await page.getByRole('switch', { name: 'The ERP API is on' }).check()
    await page.getByLabel('Storage of ERP stock').selectOption('Warehouse')
    await page.getByLabel('Pick-up point of ERP stock').selectOption('Shop')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Not ready: token missing').waitFor()
    const keepToken = async () => {
      await page.getByRole('button', { name: 'I have kept it' }).click()
      await page.getByText('Ready', { exact: true }).waitFor()
    }
    await page.getByRole('button', { name: 'Issue a token' }).click()
    await keepToken()
    await ticked('Add a storage', 'Add a pick-up point', 'Open the ERP API')

    await steps.getByRole('link', { name: 'Import the first price list' }).click()
    await page.getByRole('button', { name: 'New list' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New list' })
    await dialog.getByLabel('Name', { exact: true }).fill('First list')
    await dialog.getByLabel('Name of a new storage').fill('Supplier')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByText('No file yet. Drop one here').waitFor()
    const buffer = Buffer.from(priceFile(['F-1', 'F-2']))
    await page.locator('input[type=file]').setInputFiles({ name: 'first.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('button', { name: 'Import this file' }).click()
    await page.getByText('Live now').waitFor()
    await ticked('Import the first price list', 'Add a storage', 'Add a pick-up point', 'Open the ERP API')

    await steps.getByRole('link', { name: 'Open the partner API' }).click()
    await page.getByText('Not ready: token missing').waitFor()
    await page.getByRole('switch', { name: 'The partner API is on' }).check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    // switching it on creates its token (admin.md#settings-b2b-token)
    await keepToken()
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByText('All well', { exact: true }).waitFor()
    await steps.waitFor({ state: 'detached' })
  })
})
