import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { Db } from 'mongodb'
import { type PricingUnderTest, startPricing } from '../testing/pricing-under-test.js'
import { CSV_HEADER, newArticle } from '../testing/price-text.js'

const IMPORTS = 10
/** 30, with the file in GridFS, and a rare renewal of a lease. */
const MOST = 32

let pricing: PricingUnderTest
beforeAll(async () => {
  pricing = await startPricing()
})
afterAll(() => pricing.stop())

/** Two thirds of the processor time of a small import are its operations in the database. */
it('an import of 10 rows takes few operations in the database, from the upload to its end', async () => {
  const { id } = await pricing.newList()
  const rows = Array.from({ length: 10 }, () => `A;${newArticle()};x;1;1\n`).join('')
  const tasks = pricing.db.collection<{ _id: number; status: string }>('import_tasks')
  const importOne = async () => {
    const task = await pricing.upload(id, CSV_HEADER + rows)
    // with the connection of the test, which is not counted
    await pricing.until(async () => ((await tasks.findOne({ _id: task }))?.status === 'completed' ? true : undefined))
  }
  await importOne()
  let operations = 0
  const count = () => void (operations += 1)
  // each idle loop looks for work once a second, and finds none with one operation
  let idleLooks = 0
  const due = pricing.stores.tasks.due.bind(pricing.stores.tasks)
  pricing.stores.tasks.due = async () => {
    const found = await due()
    if (found.size === 0) idleLooks += 1
    return found
  }
  const { client } = pricing.get(Db)
  client.on('connectionCheckedOut', count)
  for (let turn = 0; turn < IMPORTS; turn += 1) await importOne()
  client.off('connectionCheckedOut', count)
  expect((operations - idleLooks) / IMPORTS).toBeLessThanOrEqual(MOST)
})
