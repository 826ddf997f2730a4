import { beforeAll, expect } from '@jest/globals'
import { setTimeout as delay } from 'node:timers/promises'
import { startProduct } from '@partsbus/local-stack/running-product'
import { databaseProcesses } from '../testing/database-processes.js'
import { keepAway } from '../testing/outage.js'
import { ROOT } from '../testing/shop.js'
import { describePages, scenario, usePages } from './browser.js'
import { createList } from './lists.js'

const AWAY_MS = 10_000

describePages('an outage', () => {
  const pages = usePages(() => startProduct({ root: ROOT }))
  let database: string | undefined
  beforeAll(async () => {
    ;[database] = await databaseProcesses()
  })

  scenario('37: pages say that the database is away, and recover by themselves', pages, async (visitor) => {
    if (database === undefined) return
    const { page } = visitor
    const list = await createList(pages.admin(), 'Outage')
    await visitor.signIn()
    await visitor.open('/price-lists')
    await page.getByRole('link', { name: list.name }).waitFor()
    const elsewhere = await pages.visit()
    await elsewhere.signIn()
    await elsewhere.open('/storages')
    await elsewhere.page.getByRole('heading', { name: 'Storages' }).waitFor()
    const loads: string[] = []
    for (const visited of [page, elsewhere.page]) visited.on('load', () => loads.push(visited.url()))

    await keepAway(pages.product(), database, async () => {
      const until = delay(AWAY_MS)
      await elsewhere.page.getByRole('link', { name: 'Pick-up points' }).click()
      await elsewhere.page.getByText('The storage service does not respond.').waitFor()
      await page.getByText('This may be out of date: newer data could not be loaded.').waitFor({ timeout: 30_000 })
      // what was loaded can still be read
      expect(await page.getByRole('link', { name: list.name }).isVisible()).toBe(true)
      await until
    })
    await pages.product().waitUntilReady()
    await page
      .getByText('This may be out of date: newer data could not be loaded.')
      .waitFor({ state: 'detached', timeout: 60_000 })
    await elsewhere.page.getByText('No pick-up points yet').first().waitFor({ timeout: 60_000 })
    expect(loads).toEqual([])
  })
})
