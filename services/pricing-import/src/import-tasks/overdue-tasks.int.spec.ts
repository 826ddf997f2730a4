import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readTaskFile, retryImportTask } from '@partsbus/contracts/pricing-import/commands'
import { defaultCallSettings } from '@partsbus/contracts/administration/settings'
import { type PricingUnderTest, startPricing } from '../testing/pricing-under-test.js'

const HEAD = 'Бренд;Артикул;Наименование;Количество;Цена\n'
const DAY_MS = 86_400_000

let pricing: PricingUnderTest
beforeAll(async () => {
  pricing = await startPricing()
})
afterAll(() => pricing.stop())

/** A finished import that ended that many days ago. */
async function imported(list: number, text: string, daysAgo: number): Promise<number> {
  const { id } = await pricing.import(list, HEAD + text)
  await pricing.db
    .collection<{ _id: number }>('import_tasks')
    .updateOne({ _id: id }, { $set: { completed_at: new Date(Date.now() - daysAgo * DAY_MS) } })
  return id
}
const clean = () => pricing.clean()
const skippedOf = (id: number) => pricing.stores.skippedRows.count(id)
const filesKept = () => pricing.db.collection('files').countDocuments()

describe('finished imports (rules.md#retention)', () => {
  it('are deleted with their skipped rows and files when they are older than the present retention_days', async () => {
    const { id } = await pricing.newList()
    const old = await imported(id, 'A;OLD;x;1;1\n;;x;;\n', 59)
    const young = await imported(id, 'A;YOUNG;x;1;1\n;;x;;\n', 57)
    await clean()
    expect([await skippedOf(old), await skippedOf(young), await filesKept()]).toEqual([1, 1, 2])
    // a shorter time holds for those that are there already
    pricing.settings = { ...defaultCallSettings, retention_days: 58 }
    await clean()
    await expect(pricing.task(old)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await pricing.task(young)).toMatchObject({ status: 'completed' })
    expect([await skippedOf(old), await skippedOf(young), await filesKept()]).toEqual([0, 1, 1])
    expect(await pricing.offers('YOUNG')).toHaveLength(1)
    // and so does a longer one
    await pricing.db
      .collection<{ _id: number }>('import_tasks')
      .updateOne({ _id: young }, { $set: { completed_at: new Date(Date.now() - 90 * DAY_MS) } })
    pricing.settings = { ...defaultCallSettings, retention_days: 100 }
    await clean()
    expect(await pricing.task(young)).toMatchObject({ status: 'completed' })
  })

  it('leave what is live alone', async () => {
    const { id } = await pricing.newList()
    const task = await imported(id, 'A;LIVE;x;1;1\n', 1_000)
    pricing.settings = defaultCallSettings
    await clean()
    await expect(pricing.task(task)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await pricing.offers('LIVE')).toHaveLength(1)
  })

  it('stay while the setting cannot be read, and the rest is cleaned up', async () => {
    const { id } = await pricing.newList()
    const task = await imported(id, 'A;STAYS;x;1;1\n', 1_000)
    const left = await pricing.stores.files.store(process.execPath, 'left.csv')
    await pricing.db.collection<{ _id: number }>('files').updateOne({ _id: left.id }, { $set: { at: new Date(0) } })
    pricing.settings = undefined
    await clean()
    pricing.settings = defaultCallSettings
    expect(await pricing.task(task)).toMatchObject({ status: 'completed' })
    expect(await pricing.stores.files.get(left.id)).toBeUndefined()
  })

  it('of one file keep it until the last of them goes', async () => {
    const { id } = await pricing.newList()
    const failed = await imported(id, ';;x;;\n', 1_000)
    const retried = await pricing.ask(retryImportTask, { id: failed })
    await pricing.finish(retried.id)
    await clean()
    await expect(pricing.task(failed)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await pricing.stores.files.get((await pricing.stores.tasks.find(retried.id))?.file_id ?? 0)).toBeDefined()
  })

  it('leave their file to an import that begins to use it at the same moment', async () => {
    const { tasks } = pricing.stores
    const { id } = await pricing.newList()
    const failed = await imported(id, ';;x;;\n', 1_000)
    const retried: number[] = []
    const isFileUsed = tasks.isFileUsed.bind(tasks)
    tasks.isFileUsed = async (...which) => {
      const wasUsed = await isFileUsed(...which)
      if (retried.length === 0) retried.push((await pricing.ask(retryImportTask, { id: failed })).id)
      return wasUsed
    }
    await clean()
    tasks.isFileUsed = isFileUsed
    await expect(pricing.task(failed)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const file = await pricing.read(readTaskFile, { id: retried[0] ?? 0, offset: 0, length: 1_000 })
    expect(file.toString()).toBe(`${HEAD};;x;;\n`)
  })

  it('whose file is gone have none to read (docs/operate/backup.md)', async () => {
    const { id } = await pricing.newList()
    const task = await imported(id, 'A;GONE;x;1;1\n', 0)
    await pricing.stores.files.delete((await pricing.stores.tasks.find(task))?.file_id ?? 0)
    await expect(pricing.read(readTaskFile, { id: task, offset: 0, length: 1_000 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})
