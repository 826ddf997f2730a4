import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  cancelImportTask,
  listVersions,
  patchPriceList,
  rollbackVersion,
} from '@partsbus/contracts/pricing-import/commands'
import { MongoNetworkError } from 'mongodb'
import { type PricingUnderTest, startPricing } from '../testing/pricing-under-test.js'
import { CSV_HEADER, newArticle, priceText } from '../testing/price-text.js'

let pricing: PricingUnderTest
beforeAll(async () => {
  pricing = await startPricing({ IMPORT_REMOVE_AFTER_MS: 0 })
})
afterAll(() => pricing.stop())

describe('versions', () => {
  it('the same file twice makes two versions of the same rows', async () => {
    const article = newArticle()
    const { id } = await pricing.newList()
    const text = `${CSV_HEADER}A;${article};x;1;1\n`
    const [one, two] = [await pricing.upload(id, text), await pricing.upload(id, text)]
    await pricing.finish(one)
    await pricing.finish(two)
    expect(await pricing.versionsOf(id)).toEqual([`${two}*`, `${one}`])
    expect(await pricing.namesOf(article)).toEqual(['x'])
  })

  it('an older upload that finishes last is completed and superseded, and the newer one stays', async () => {
    const article = newArticle()
    const { id } = await pricing.newList()
    const tasks = pricing.db.collection<{ _id: number }>('import_tasks')
    const [older, newer, late] = await pricing.withListLocked(id, async () => {
      const first = await pricing.upload(id, `${CSV_HEADER}A;${article};older;1;1\n`)
      const found = await tasks.findOneAndDelete({ _id: first })
      return [first, await pricing.upload(id, `${CSV_HEADER}A;${article};newer;1;1\n`), found] as const
    })
    await pricing.finish(newer)
    if (late) await tasks.insertOne(late)
    expect(await pricing.finish(older)).toMatchObject({ status: 'completed', superseded: true, imported_rows: 1 })
    expect(await pricing.namesOf(article)).toEqual(['newer'])
    expect(await pricing.versionsOf(id)).toEqual([`${newer}*`])
  })

  it('the last three are kept, and any of them can be made live again', async () => {
    const article = newArticle()
    const { id } = await pricing.newList()
    const ids: number[] = []
    for (const name of ['one', 'two', 'three', 'four'])
      ids.push((await pricing.import(id, `${CSV_HEADER}A;${article};${name};1;1\n`)).id)
    const [one, two, three, four] = ids
    expect(await pricing.versionsOf(id)).toEqual([`${four}*`, `${three}`, `${two}`])
    expect(await pricing.ask(rollbackVersion, { id })).toMatchObject({ replaced: four })
    expect(await pricing.versionsOf(id)).toEqual([`${four}`, `${three}*`, `${two}`])
    expect(await pricing.namesOf(article)).toEqual(['three'])
    await pricing.ask(rollbackVersion, { id })
    await expect(pricing.ask(rollbackVersion, { id })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'There is no version before the active one.',
    })
    await expect(pricing.ask(rollbackVersion, { id, version: one })).rejects.toMatchObject({ code: 'CONFLICT' })
    await pricing.ask(rollbackVersion, { id, version: four })
    expect(await pricing.namesOf(article)).toEqual(['four'])
    await pricing.clean()
    const rows = await pricing.db.collection('offers').distinct('version', { article_key: article })
    expect(rows).toEqual([two, three, four])
  })

  it('are numbered within their list, with the settings of their offers (admin.md#versions)', async () => {
    const article = newArticle()
    const { id } = await pricing.newList({ markup_percent: 12.5 })
    const rows = `${CSV_HEADER}A;${article};x;1;1\n`
    const setTo = (patch: object) => pricing.ask(patchPriceList, { id, patch })
    const versions = async () =>
      (await pricing.ask(listVersions, { id })).versions.map(({ number, markup_percent, delivery_days }) => [
        ...[number, markup_percent, delivery_days],
      ])
    const { id: one } = await pricing.import(id, rows)
    await setTo({ markup_percent: 5, delivery_days: 3, mode: 'merge' })
    await pricing.import(id, rows)
    // taken over: the offers of the first version, if they had not the same article
    expect(await versions()).toEqual([
      [2, null, null],
      [1, 12.5, null],
    ])
    await setTo({ mode: 'replace' })
    await pricing.ask(rollbackVersion, { id, version: one })
    await pricing.import(id, rows)
    await setTo({ mode: 'merge' })
    await pricing.import(id, rows)
    expect(await versions()).toEqual([
      [4, 5, 3],
      [3, 5, 3],
      [1, 12.5, null],
    ])
    // as an earlier release left them
    const lists = pricing.db.collection<{ _id: number }>('price_lists')
    await lists.updateOne({ _id: id }, { $unset: { 'versions.$[].number': '', 'versions.$[].settings': '' } })
    expect(await versions()).toEqual([3, 2, 1].map((number) => [number, null, null]))
    await setTo({ mode: 'replace' })
    await pricing.import(id, rows)
    expect((await versions())[0]).toEqual([4, 5, 3])
  })

  it('the version that was live stays, whatever was published and rolled back since (rules.md#versions)', async () => {
    const article = newArticle()
    const { id } = await pricing.newList()
    const publish = async (name: string) => (await pricing.import(id, `${CSV_HEADER}A;${article};${name};1;1\n`)).id
    const good = await publish('good')
    const bad: number[] = []
    for (const name of ['bad 1', 'bad 2', 'bad 3']) {
      bad.unshift(await publish(name))
      if (name !== 'bad 3') await pricing.ask(rollbackVersion, { id, version: good })
    }
    expect(await pricing.versionsOf(id)).toEqual([`${bad[0]}*`, `${bad[1]}`, `${good}`])
    expect(await pricing.ask(rollbackVersion, { id })).toMatchObject({ replaced: bad[0] })
    expect(await pricing.versionsOf(id)).toEqual([`${bad[0]}`, `${bad[1]}`, `${good}*`])
    await pricing.clean()
    expect(await pricing.namesOf(article)).toEqual(['good'])
  })

  it('a rollback leads to what was live before, not to what was rolled back (admin.md#rollback)', async () => {
    const { id } = await pricing.newList()
    const publish = async () => (await pricing.import(id, priceText(1, 1))).id
    const [good, bad] = [await publish(), await publish()]
    await pricing.ask(rollbackVersion, { id, version: good })
    const worse = await publish()
    await pricing.ask(rollbackVersion, { id })
    expect(await pricing.versionsOf(id)).toEqual([`${worse}`, `${bad}`, `${good}*`])
    await expect(pricing.ask(rollbackVersion, { id })).rejects.toMatchObject({ code: 'CONFLICT' })
    // named, it is live again, and what it replaces is the one before it
    await pricing.ask(rollbackVersion, { id, version: bad })
    await pricing.ask(rollbackVersion, { id })
    expect(await pricing.versionsOf(id)).toEqual([`${worse}`, `${bad}`, `${good}*`])
  })

  it('a rollback names what it replaced, also a version that went live meanwhile (admin.md#audit)', async () => {
    const { id } = await pricing.newList()
    const publish = async () => (await pricing.import(id, priceText(1, 1))).id
    const [good, bad] = [await publish(), await publish()]
    const { versions } = pricing.stores
    const rollBack = versions.rollBack.bind(versions)
    let late = 0
    versions.rollBack = async (...move) => {
      versions.rollBack = rollBack
      late = await publish()
      return rollBack(...move)
    }
    expect(await pricing.ask(rollbackVersion, { id })).toMatchObject({ replaced: late })
    expect(await pricing.versionsOf(id)).toEqual([`${late}`, `${bad}`, `${good}*`])
  })

  it.each(['replace', 'merge'] as const)(
    'a rollback supersedes uploads that wait, in a list that is set to %s (rules.md#rollback)',
    async (mode) => {
      const article = newArticle()
      const { id } = await pricing.newList({ mode })
      for (const name of ['first', 'bad']) await pricing.import(id, `${CSV_HEADER}A;${article};${name};1;1\n`)
      const waiting = await pricing.withListLocked(id, async () => {
        const task = await pricing.upload(id, `${CSV_HEADER}A;${article};late;1;1\n`)
        await pricing.ask(rollbackVersion, { id })
        return task
      })
      expect(await pricing.finish(waiting)).toMatchObject({ status: 'completed', superseded: true, imported_rows: 1 })
      expect(await pricing.namesOf(article)).toEqual(['first'])
      await pricing.import(id, `${CSV_HEADER}A;${article};after;1;1\n`)
      expect(await pricing.namesOf(article)).toEqual(['after'])
    },
  )

  it.each(['replace', 'merge'] as const)(
    'a rollback supersedes the running import of a list that is set to %s',
    async (mode) => {
      const article = newArticle()
      const { id } = await pricing.newList({ mode })
      for (const name of ['first', 'bad']) await pricing.import(id, `${CSV_HEADER}A;${article};${name};1;1\n`)
      const count = pricing.pauseBeforeSwitch()
      const running = await pricing.upload(id, `${CSV_HEADER}A;${article};late;1;1\n`)
      await count.reached
      await pricing.ask(rollbackVersion, { id })
      count.release()
      expect(await pricing.finish(running)).toMatchObject({ status: 'completed', superseded: true, imported_rows: 1 })
      expect(await pricing.namesOf(article)).toEqual(['first'])
    },
  )

  it('the rows of a superseded import are deleted, those of kept versions are not', async () => {
    const article = newArticle()
    const { id } = await pricing.newList()
    for (const name of ['first', 'bad']) await pricing.import(id, `${CSV_HEADER}A;${article};${name};1;1\n`)
    const waiting = await pricing.withListLocked(id, async () => {
      const task = await pricing.upload(id, `${CSV_HEADER}A;${article};late;1;1\n`)
      await pricing.ask(rollbackVersion, { id })
      return task
    })
    await pricing.finish(waiting)
    const rows = () => pricing.db.collection('offers').distinct('version', { article_key: article })
    expect(await rows()).toContain(waiting)
    await pricing.until(async () => {
      await pricing.clean()
      return (await rows()).includes(waiting) ? undefined : true
    })
    expect(await rows()).toHaveLength(2)
  })

  it('the rows of a live version stay, also where it was scheduled for deletion', async () => {
    const article = newArticle()
    const { id } = await pricing.newList()
    const { id: live } = await pricing.import(id, `${CSV_HEADER}A;${article};live;1;1\n`)
    await pricing.db
      .collection<{ _id: number; removed: object[] }>('price_lists')
      .updateOne({ _id: id }, { $push: { removed: { version: live, at: new Date(0) } } })
    await pricing.clean()
    expect(await pricing.namesOf(article)).toEqual(['live'])
  })

  it('a version whose rows are scheduled for deletion never goes live', async () => {
    const article = newArticle()
    const { id } = await pricing.newList()
    await pricing.import(id, `${CSV_HEADER}A;${article};live;1;1\n`)
    const count = pricing.pauseBeforeSwitch()
    const running = await pricing.upload(id, `${CSV_HEADER}A;${article};late;1;1\n`)
    await count.reached
    await pricing.stores.versions.remove(id, running)
    count.release()
    expect(await pricing.finish(running)).toMatchObject({ status: 'failed' })
    expect(await pricing.namesOf(article)).toEqual(['live'])
  })

  it('a replacement that lost a row does not go live', async () => {
    const article = newArticle()
    const { id } = await pricing.newList()
    await pricing.import(id, `${CSV_HEADER}A;${article};live;1;1\n`)
    const count = pricing.pauseBeforeSwitch()
    const running = await pricing.upload(id, `${CSV_HEADER}A;${article};late;1;1\nA;${newArticle()};x;1;1\n`)
    await count.reached
    await pricing.db.collection('offers').deleteOne({ version: running, article_key: article })
    count.release()
    await pricing.until(async () => ((await pricing.stores.tasks.find(running))?.tries === 2 ? true : undefined))
    expect(await pricing.namesOf(article)).toEqual(['live'])
    await pricing.until(() => pricing.ask(cancelImportTask, { id: running }).catch(() => undefined))
  })

  it('a version with fewer than min_rows_ratio of the live rows fails', async () => {
    const { id } = await pricing.newList({ min_rows_ratio: 0.5 })
    const live = await pricing.import(id, priceText(100, 1))
    expect(await pricing.import(id, priceText(40, 2))).toMatchObject({
      status: 'failed',
      error_message: expect.stringContaining('below the configured minimum of 50 %'),
    })
    expect(await pricing.versionsOf(id)).toEqual([`${live.id}*`])
    expect(await pricing.import(id, priceText(60, 2))).toMatchObject({ status: 'completed' })
  })
})

describe('a list that merges', () => {
  it('adds to and replaces what is live, by normalised brand and article, in the order of the uploads', async () => {
    const [kept, changed, added] = [newArticle(), newArticle(), newArticle()]
    const { id } = await pricing.newList({ mode: 'merge' })
    const tasks = await pricing.withListLocked(id, async () => [
      await pricing.upload(id, `${CSV_HEADER}A;${kept};kept;1;1\nA;${changed};old;1;1\n`),
      await pricing.upload(id, `${CSV_HEADER}a;${changed.toLowerCase()};new;2;2\nA;${added};added;1;1\n`),
      await pricing.upload(id, `${CSV_HEADER}A;${added};added again;1;1\n`),
    ])
    for (const task of tasks)
      expect(await pricing.finish(task)).toMatchObject({ status: 'completed', superseded: false })
    expect([await pricing.namesOf(kept), await pricing.namesOf(changed), await pricing.namesOf(added)]).toEqual([
      ['kept'],
      ['new'],
      ['added again'],
    ])
    const { versions } = await pricing.ask(listVersions, { id })
    expect(versions.map(({ rows }) => rows)).toEqual([3, 3, 2])
  })

  // admin.md#merged-into
  it('says of an import which live one took over its offers', async () => {
    const { id } = await pricing.newList({ mode: 'merge' })
    const line = () => `${CSV_HEADER}A;${newArticle()};name;1;1\n`
    const first = await pricing.import(id, line())
    expect(first).toMatchObject({ is_live: true, live_rows: 1, merged_into: null })
    const second = await pricing.import(id, line())
    const third = await pricing.import(id, line())
    const look = async (task: { id: number }) => (await pricing.task(task.id)).merged_into
    expect([await look(first), await look(second), await look(third)]).toEqual([third.id, third.id, null])
    await pricing.ask(rollbackVersion, { id })
    expect([await look(first), await look(second), await look(third)]).toEqual([second.id, null, null])
    await pricing.ask(patchPriceList, { id, patch: { mode: 'replace' } })
    await pricing.import(id, line())
    expect([await look(first), await look(second)]).toEqual([null, null])
  })

  it('continues copying after an outage of the database without using up an attempt', async () => {
    const [kept, added] = [newArticle(), newArticle()]
    const { id } = await pricing.newList({ mode: 'merge' })
    await pricing.import(id, `${CSV_HEADER}A;${kept};kept;1;1\n`)
    const { offers } = pricing.stores
    const page = offers.page.bind(offers)
    offers.page = () => {
      offers.page = page
      return Promise.reject(new MongoNetworkError('connection closed'))
    }
    const task = await pricing.import(id, `${CSV_HEADER}A;${added};added;1;1\n`)
    expect([await pricing.namesOf(kept), await pricing.namesOf(added)]).toEqual([['kept'], ['added']])
    expect(await pricing.stores.tasks.find(task.id)).toMatchObject({ attempt: 1 })
  })

  it('starts from the version that is active when it goes live, also after a rollback', async () => {
    const [one, two, three] = [newArticle(), newArticle(), newArticle()]
    const { id } = await pricing.newList({ mode: 'merge' })
    await pricing.import(id, `${CSV_HEADER}A;${one};one;1;1\n`)
    await pricing.import(id, `${CSV_HEADER}A;${two};two;1;1\n`)
    await pricing.ask(rollbackVersion, { id })
    await pricing.import(id, `${CSV_HEADER}A;${three};three;1;1\n`)
    expect([await pricing.namesOf(one), await pricing.namesOf(two), await pricing.namesOf(three)]).toEqual([
      ['one'],
      [],
      ['three'],
    ])
  })
})

describe('a merge that is overtaken', () => {
  /**
   * An upload whose task is stored later than that of the next upload, as a process that was frozen between the two
   * does.
   */
  async function overtaken(id: number, text: string, next: () => Promise<unknown>): Promise<number> {
    const tasks = pricing.db.collection<{ _id: number }>('import_tasks')
    const [late, found] = await pricing.withListLocked(id, async () => {
      const task = await pricing.upload(id, text)
      return [task, await tasks.findOneAndDelete({ _id: task })] as const
    })
    await next()
    if (found) await tasks.insertOne(found)
    return late
  }

  it('by another merge is merged into what is live then', async () => {
    const [one, two, three] = [newArticle(), newArticle(), newArticle()]
    const { id } = await pricing.newList({ mode: 'merge' })
    await pricing.import(id, `${CSV_HEADER}A;${one};one;1;1\n`)
    const late = await overtaken(id, `${CSV_HEADER}A;${two};two;1;1\n`, () =>
      pricing.import(id, `${CSV_HEADER}A;${three};three;1;1\n`),
    )
    expect(await pricing.finish(late)).toMatchObject({ status: 'completed', superseded: false })
    expect([await pricing.namesOf(one), await pricing.namesOf(two), await pricing.namesOf(three)]).toEqual([
      ['one'],
      ['two'],
      ['three'],
    ])
    expect((await pricing.versionsOf(id))[0]).toBe(`${late}*`)
    await pricing.ask(rollbackVersion, { id })
    expect([await pricing.namesOf(one), await pricing.namesOf(two), await pricing.namesOf(three)]).toEqual([
      ['one'],
      [],
      ['three'],
    ])
  })

  it('while its worker was frozen has the offers of what is live then, whenever late writes arrive', async () => {
    const [kept, added, merged] = [newArticle(), newArticle(), newArticle()]
    const { id } = await pricing.newList({ mode: 'merge' })
    await pricing.import(id, `${CSV_HEADER}A;${kept};kept;1;1\n`)
    const { offers, tasks } = pricing.stores
    const [place, page] = [offers.place.bind(offers), offers.page.bind(offers)]
    let lateWrite: (() => Promise<void>) | undefined
    offers.place = (...write) => {
      lateWrite = () => place(...write)
      offers.place = place
      return Promise.reject(new Error('frozen'))
    }
    const task = await pricing.upload(id, `${CSV_HEADER}A;${merged};merged;1;1\n`)
    const stored = pricing.db.collection<{ _id: number }>('import_tasks')
    await pricing.until(async () => lateWrite)
    const found = await pricing.withListLocked(id, () => stored.findOneAndDelete({ _id: task }))
    await pricing.import(id, `${CSV_HEADER}A;${added};added;1;1\n`)
    offers.page = async (...wanted) => {
      offers.page = page
      const read = await page(...wanted)
      await lateWrite?.()
      return read
    }
    if (found) await stored.insertOne(found)
    await pricing.finish(task)
    await lateWrite?.()
    await offers.deleteCopiesBefore(task, 1)
    expect(await Promise.all([kept, added, merged].map((article) => pricing.namesOf(article)))).toEqual([
      ['kept'],
      ['added'],
      ['merged'],
    ])
    expect(await offers.count(task)).toBe(3)
    expect(await tasks.find(task)).toMatchObject({ status: 'completed', attempt: 2 })
  })

  it('by a replacement is superseded', async () => {
    const [one, two] = [newArticle(), newArticle()]
    const { id } = await pricing.newList({ mode: 'merge' })
    const late = await overtaken(id, `${CSV_HEADER}A;${one};one;1;1\n`, async () => {
      await pricing.ask(patchPriceList, { id, patch: { mode: 'replace' } })
      await pricing.import(id, `${CSV_HEADER}A;${two};two;1;1\n`)
    })
    expect(await pricing.finish(late)).toMatchObject({ status: 'completed', superseded: true })
    expect([await pricing.namesOf(one), await pricing.namesOf(two)]).toEqual([[], ['two']])
  })
})
