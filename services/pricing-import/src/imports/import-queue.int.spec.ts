import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import {
  cancelImportTask,
  listImportTasks,
  patchPriceList,
  retryImportTask,
} from '@partsbus/contracts/pricing-import/commands'
import { defaultCallSettings } from '@partsbus/contracts/administration/settings'
import { PausableWork } from '@partsbus/platform/process/pausable-work'
import { LeaseStore } from '@partsbus/platform/mongo/lease-store'
import { Cleanup } from '../cleanup.js'
import { type PricingUnderTest, startPricing } from '../testing/pricing-under-test.js'
import { CSV_HEADER, newArticle, priceText } from '../testing/price-text.js'

let pricing: PricingUnderTest
beforeAll(async () => {
  pricing = await startPricing({ IMPORT_REMOVE_AFTER_MS: 0 })
})
afterAll(() => pricing.stop())

const page = { page: 1, per_page: 50 }

describe('the queue', () => {
  it('fails a poison file after at most five attempts, and imports the next one of the list', async () => {
    const article = newArticle()
    const { id } = await pricing.newList()
    const [poison, next] = await pricing.withListLocked(id, async () => {
      const first = await pricing.upload(id, `${CSV_HEADER}A;${article};poison;1;1\n`)
      // workers that die right after their claim
      for (let attempt = 0; attempt < 4; attempt += 1) await pricing.stores.tasks.claim(first)
      return [first, await pricing.upload(id, `${CSV_HEADER}A;${article};good;1;1\n`)]
    })
    expect(await pricing.finish(poison)).toMatchObject({
      status: 'failed',
      error_message: expect.stringContaining('consecutive attempts made no progress'),
    })
    expect(await pricing.stores.tasks.find(poison)).toMatchObject({ attempt: 5 })
    expect(await pricing.finish(next)).toMatchObject({ status: 'completed' })
  })

  it('completes a task whose version is live, however often its workers died after the switch', async () => {
    const { id } = await pricing.newList()
    const task = await pricing.withListLocked(id, async () => {
      const switched = await pricing.upload(id, `${CSV_HEADER}A;${newArticle()};x;1;1\n`)
      for (let attempt = 0; attempt < 4; attempt += 1) await pricing.stores.tasks.claim(switched)
      await pricing.db
        .collection<{ _id: number }>('import_tasks')
        .updateOne({ _id: switched }, { $set: { is_switching: true } })
      await pricing.db.collection<{ _id: number; versions: object[] }>('price_lists').updateOne(
        { _id: id },
        {
          $set: { active_version: switched },
          $push: { versions: { version: switched, rows: 1, created_at: new Date() } },
        },
      )
      return switched
    })
    expect(await pricing.finish(task)).toMatchObject({ status: 'completed' })
  })

  it('rests during maintenance, and continues after it (admin.md#maintenance)', async () => {
    const { id } = await pricing.newList()
    const work = pricing.get(PausableWork)
    const { tasks } = pricing.stores
    const due = tasks.due.bind(tasks)
    let looking = 0
    tasks.due = async () => {
      looking += 1
      return due().finally(() => (looking -= 1))
    }
    pricing.settings = { ...defaultCallSettings, maintenance: 'Backup.' }
    try {
      // a search that began before does not see the upload
      await pricing.until(async () => (work.isPaused && looking === 0 ? true : undefined))
      const task = await pricing.upload(id, `${CSV_HEADER}A;${newArticle()};x;1;1\n`)
      const endedAt = Date.now()
      pricing.settings = defaultCallSettings
      const { status, started_at } = await pricing.finish(task)
      expect(status).toBe('completed')
      expect(Date.parse(started_at ?? '')).toBeGreaterThanOrEqual(endedAt)
    } finally {
      tasks.due = due
      pricing.settings = defaultCallSettings
    }
  })

  it('a worker that was replaced writes nothing more', async () => {
    const { id } = await pricing.newList()
    await pricing.withListLocked(id, async () => {
      const task = await pricing.upload(id, `${CSV_HEADER}A;${newArticle()};x;1;1\n`)
      const frozen = await pricing.stores.tasks.claim(task)
      const current = await pricing.stores.tasks.claim(task)
      if (!frozen || !current) throw new Error('not claimed')
      expect(await pricing.stores.tasks.save(frozen, { processed_rows: 5 })).toBe(false)
      expect(await pricing.stores.tasks.end(frozen, { status: 'completed' })).toBe(false)
      expect(await pricing.stores.tasks.save(current, { processed_rows: 0 })).toBe(true)
      const list = await pricing.stores.lists.find(id)
      if (!list) throw new Error('no list')
      expect(await pricing.stores.versions.goLive(list, 'not the owner', { version: task, rows: 1 }, true)).toBe(false)
    })
  })

  it('refuses an upload when 200 imports of its list are waiting (partners.md#upload-6)', async () => {
    const { id } = await pricing.newList()
    await pricing.withListLocked(id, async () => {
      const task = await pricing.upload(id, `${CSV_HEADER}A;${newArticle()};x;1;1\n`)
      const tasks = pricing.db.collection<{ _id: number }>('import_tasks')
      const stored = await tasks.findOne({ _id: task })
      const fakes = Array.from({ length: 199 }, (_, index) => ({ ...stored, _id: 10_000_000 + index }))
      await tasks.insertMany(fakes)
      await expect(pricing.upload(id, `${CSV_HEADER}A;${newArticle()};x;1;1\n`)).rejects.toMatchObject({
        code: 'RATE_LIMITED',
        message: '200 imports of this price list are waiting already. Try again later.',
        details: { retryAfter: 60 },
      })
      await tasks.deleteMany({ _id: { $gte: 10_000_000 } })
      await pricing.ask(cancelImportTask, { id: task })
    })
  })

  it('looks for work without failing updates of lists that others hold', async () => {
    const { id } = await pricing.newList()
    await pricing.withListLocked(id, async () => {
      const before = (await pricing.db.collection<{ _id: number }>('price_lists').findOne({ _id: id })) ?? {}
      expect(await pricing.stores.lists.acquireLease([id], 'me', 1_000)).toBeUndefined()
      expect(await pricing.db.collection<{ _id: number }>('price_lists').findOne({ _id: id })).toEqual(before)
    })
    expect(await pricing.stores.lists.acquireLease([id], 'me', 1_000)).toMatchObject({ id })
    await pricing.stores.lists.releaseLease(id, 'me')
  })

  it('a delay after a failure is measured by the clock of the database', async () => {
    const { id } = await pricing.newList()
    await pricing.withListLocked(id, async () => {
      const task = await pricing.upload(id, `${CSV_HEADER}A;${newArticle()};x;1;1\n`)
      const claimed = await pricing.stores.tasks.claim(task)
      if (!claimed) throw new Error('not claimed')
      const now = jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2099, 0))
      try {
        await pricing.stores.tasks.giveBack(claimed, 60_000, true)
        expect((await pricing.stores.tasks.due()).has(id)).toBe(false)
        const stored = await pricing.db.collection<{ _id: number }>('import_tasks').findOne({ _id: task })
        expect(stored).toMatchObject({ not_before: expect.any(Date) })
        expect((stored as unknown as { not_before: Date }).not_before.getUTCFullYear()).toBeLessThan(2099)
      } finally {
        now.mockRestore()
      }
      await pricing.ask(cancelImportTask, { id: task })
    })
  })

  it('goes on with higher ids after the counters were restored to older values', async () => {
    const article = newArticle()
    const { id } = await pricing.newList()
    const before = await pricing.import(id, `${CSV_HEADER}A;${article};before;1;1\n`)
    const counters = pricing.db.collection<{ _id: string; value: number }>('counters')
    await counters.updateMany({ _id: { $in: ['import_tasks', 'price_lists'] } }, { $set: { value: 0 } })
    await pricing.db.collection<{ _id: number }>('import_tasks').deleteOne({ _id: before.id })
    const replica = await pricing.startService()
    const after = await pricing.import(id, `${CSV_HEADER}A;${article};after;1;1\n`)
    expect(after).toMatchObject({ status: 'completed', superseded: false })
    expect(after.id).toBeGreaterThan(before.id)
    expect(await pricing.namesOf(article)).toEqual(['after'])
    expect((await pricing.newList()).id).toBeGreaterThan(id)
    await replica.stop()
  })

  it('a worker that loses its list before it claims a task leaves the task to the others', async () => {
    const article = newArticle()
    const { id } = await pricing.newList()
    const { tasks } = pricing.stores
    const claim = tasks.claim.bind(tasks)
    const claimed: number[] = []
    tasks.claim = async (task) => {
      claimed.push(task)
      // frozen here: another worker takes the list over
      if (claimed.length === 1)
        await pricing.db
          .collection<{ _id: number }>('price_lists')
          .updateOne({ _id: id }, { $set: { lease_owner: 'other', lease_until: new Date(Date.now() + 500) } })
      return claim(task)
    }
    const task = await pricing.upload(id, `${CSV_HEADER}A;${article};x;1;1\n`)
    await pricing.until(async () => (claimed.length > 0 ? true : undefined))
    expect(await pricing.finish(task)).toMatchObject({ status: 'completed', imported_rows: 1 })
    expect(claimed.length).toBeGreaterThan(1)
    tasks.claim = claim
  })

  it('is cleaned up by one process at a time', async () => {
    const { id } = await pricing.newList()
    const { id: live } = await pricing.import(id, `${CSV_HEADER}A;${newArticle()};x;1;1\n`)
    const lists = pricing.db.collection<{ _id: number; removed: object[] }>('price_lists')
    await lists.updateOne({ _id: id }, { $push: { removed: { version: live + 1_000_000, at: new Date(0) } } })
    const removed = async () => (await lists.findOne({ _id: id }))?.removed
    const leases = new LeaseStore(pricing.db.collection('leases'))
    await leases.withLease('cleanup', { leaseMs: 60_000, waitMs: 10_000 }, async () => {
      await pricing.get(Cleanup).cleanExclusively()
      expect(await removed()).toHaveLength(1)
    })
    await pricing.get(Cleanup).cleanExclusively()
    expect(await removed()).toEqual([])
  })

  it('lists do not wait for each other', async () => {
    const [busy, idle] = [await pricing.newList(), await pricing.newList()]
    await pricing.withListLocked(busy.id, async () => {
      await pricing.upload(busy.id, `${CSV_HEADER}A;${newArticle()};x;1;1\n`)
      expect(await pricing.import(idle.id, `${CSV_HEADER}A;${newArticle()};x;1;1\n`)).toMatchObject({
        status: 'completed',
      })
    })
  })

  // admin.md#task-cancel, admin.md#task-retry
  it('cancels a waiting task, and retries it as a new one with the settings of the list at that time', async () => {
    const article = newArticle()
    const { id } = await pricing.newList()
    const cancelled = await pricing.withListLocked(id, async () => {
      const task = await pricing.upload(id, `${CSV_HEADER}A;${article};x;1;100\n`)
      return pricing.ask(cancelImportTask, { id: task })
    })
    expect(cancelled).toMatchObject({
      status: 'failed',
      error_message: 'The import was cancelled by an administrator.',
    })
    await expect(pricing.ask(cancelImportTask, { id: cancelled.id })).rejects.toMatchObject({ code: 'CONFLICT' })
    await pricing.ask(patchPriceList, { id, patch: { markup_percent: 50 } })
    const retried = await pricing.ask(retryImportTask, { id: cancelled.id })
    expect(retried.id).toBeGreaterThan(cancelled.id)
    expect(await pricing.finish(retried.id)).toMatchObject({ status: 'completed', file_name: 'price.csv' })
    expect(await pricing.offers(article)).toMatchObject([{ price: 150 }])
    await expect(pricing.ask(retryImportTask, { id: retried.id })).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await pricing.ask(listImportTasks, { ...page, price_list_id: id, status: 'failed' })).toMatchObject({
      total: 1,
      data: [{ id: cancelled.id }],
    })
  })

  // admin.md#task-cancel
  it('a running import that is cancelled leaves the list as it was', async () => {
    const { id } = await pricing.newList()
    const live = await pricing.import(id, priceText(10, 1))
    const task = await pricing.upload(id, priceText(60_000, 2))
    await pricing.until(async () => ((await pricing.task(task)).processed_rows > 0 ? true : undefined))
    await pricing.ask(cancelImportTask, { id: task })
    expect(await pricing.finish(task)).toMatchObject({ status: 'failed' })
    expect(await pricing.import(id, priceText(10, 3))).toMatchObject({ status: 'completed' })
    expect((await pricing.versionsOf(id)).slice(1)).toEqual([String(live.id)])
    const { processed_rows, total_rows } = await pricing.task(task)
    expect(processed_rows).toBeLessThan(60_000)
    expect(total_rows).toBe(processed_rows)
  })

  it('an import that died after the switch cannot be cancelled, and is completed by the next attempt', async () => {
    const article = newArticle()
    const { id } = await pricing.newList()
    const { tasks } = pricing.stores
    const end = tasks.end.bind(tasks)
    tasks.end = () => Promise.reject(new Error('the worker dies here'))
    const task = await pricing.upload(id, `${CSV_HEADER}A;${article};live;1;1\n`)
    await pricing.until(async () => ((await pricing.namesOf(article)).includes('live') ? true : undefined))
    const next = await pricing.withListLocked(id, async () => {
      await tasks.claim(task)
      await expect(pricing.ask(cancelImportTask, { id: task })).rejects.toMatchObject({ code: 'CONFLICT' })
      tasks.end = end
    })
    expect(next).toBeUndefined()
    expect(await pricing.finish(task)).toMatchObject({ status: 'completed', superseded: false, imported_rows: 1 })
    expect(await pricing.namesOf(article)).toEqual(['live'])
  })

  it('a cancelled import whose process died before its rows were scheduled for deletion is cleaned up', async () => {
    const { id } = await pricing.newList()
    const { lists, versions } = pricing.stores
    const remove = versions.remove.bind(versions)
    versions.remove = () => Promise.reject(new Error('the process dies here'))
    const task = await pricing.withListLocked(id, async () => {
      const uploaded = await pricing.upload(id, `${CSV_HEADER}A;${newArticle()};x;1;1\n`)
      await expect(pricing.ask(cancelImportTask, { id: uploaded })).rejects.toMatchObject({ code: 'INTERNAL' })
      return uploaded
    })
    versions.remove = remove
    await pricing.clean()
    expect((await lists.find(id))?.removed).toMatchObject([{ version: task }])
  })
})
