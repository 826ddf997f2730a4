import { PausableWork } from '@partsbus/platform/process/pausable-work'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { PriceListSource } from '@partsbus/contracts/pricing-import/price-list-source'
import {
  createPriceList,
  deletePriceList,
  findOffers,
  getPriceList,
  listPriceLists,
  patchPriceList,
  priceListsOfStorage,
  runSource,
} from '@partsbus/contracts/pricing-import/commands'
import { SecretBox } from '@partsbus/platform/process/secret-box'
import { openPassword } from './source-password.js'
import { type PricingUnderTest, startPricing, STORAGE } from '../testing/pricing-under-test.js'

let pricing: PricingUnderTest
beforeAll(async () => {
  pricing = await startPricing()
})
afterAll(() => pricing.stop())

const url = (more: object = {}): PriceListSource => ({
  kind: 'url',
  url: 'https://supplier.example/price.csv',
  ...more,
})
const violation = (errors: Record<string, string[]>) => ({ code: 'CONTRACT_VIOLATION', details: { errors } })
const notFound = { code: 'NOT_FOUND', message: 'Not found.' }

describe('/price-lists', () => {
  it('a list of which only name and storage are given gets the defaults', async () => {
    const { revision, ...list } = await pricing.newList()
    expect(revision).toBe(1)
    expect(list).toEqual({
      id: expect.any(Number),
      name: 'List',
      storage_id: STORAGE,
      is_active: true,
      mode: 'replace',
      markup_percent: 0,
      min_rows_ratio: null,
      delivery_days: null,
      format: {},
      sources: [],
    })
    expect(await pricing.ask(getPriceList, { id: list.id })).toEqual({ ...list, revision })
    expect((await pricing.ask(listPriceLists, { page: 1, per_page: 500 })).data).toContainEqual(
      expect.objectContaining(list),
    )
  })

  it('any subset can be changed, format and sources as a whole', async () => {
    const { id } = await pricing.newList({
      format: { header: false, columns: { article: 1, brand: { value: 'A' }, quantity: 'C' } },
    })
    expect(
      await pricing.ask(patchPriceList, { id, patch: { markup_percent: 12.5, min_rows_ratio: 0.3 } }),
    ).toMatchObject({ markup_percent: 12.5, min_rows_ratio: 0.3, format: { header: false } })
    expect(
      await pricing.ask(patchPriceList, { id, patch: { format: { skip_rows: 2 }, min_rows_ratio: null } }),
    ).toMatchObject({ format: { skip_rows: 2 }, min_rows_ratio: null, markup_percent: 12.5 })
  })

  it('the storage must exist', async () => {
    const errors = violation({ storage_id: ['The selected storage_id is invalid.'] })
    await expect(pricing.ask(createPriceList, { name: 'x', storage_id: 999 })).rejects.toMatchObject(errors)
    const { id } = await pricing.newList()
    await expect(pricing.ask(patchPriceList, { id, patch: { storage_id: 999 } })).rejects.toMatchObject(errors)
  })

  it('an unknown list is NOT_FOUND', async () => {
    const id = 999_999
    await expect(pricing.ask(getPriceList, { id })).rejects.toMatchObject(notFound)
    await expect(pricing.ask(patchPriceList, { id, patch: {} })).rejects.toMatchObject(notFound)
    await expect(pricing.ask(deletePriceList, { id })).rejects.toMatchObject(notFound)
    await expect(pricing.ask(runSource, { id, source_id: 1 })).rejects.toMatchObject(notFound)
  })

  it('the lists of a storage are named', async () => {
    const { id } = await pricing.newList({ name: 'Named' })
    const { price_lists } = await pricing.ask(priceListsOfStorage, { storage_id: STORAGE })
    expect(price_lists).toContainEqual({ id, name: 'Named' })
    expect(await pricing.ask(priceListsOfStorage, { storage_id: 1 })).toEqual({ price_lists: [] })
  })

  // admin.md#price-list-delete
  it('a list is deleted with its offers, and refused while an import of it waits', async () => {
    const { id } = await pricing.newList()
    await pricing.import(id, 'Бренд;Артикул;Количество\nA;DEL-1;5\n')
    await pricing.db
      .collection<{ _id: number }>('price_lists')
      .updateOne({ _id: id }, { $set: { lease_until: new Date(Date.now() + 600_000) } })
    const waiting = await pricing.upload(id, 'Бренд;Артикул;Количество\nA;DEL-1;6\n')
    await expect(pricing.ask(deletePriceList, { id })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `An import of the price list ${id} "List" is running or waiting.`,
    })
    expect(await pricing.offers('DEL1')).toHaveLength(1)
    await pricing.db
      .collection<{ _id: number }>('price_lists')
      .updateOne({ _id: id }, { $set: { lease_until: new Date(0) } })
    await pricing.finish(waiting)
    await expect(pricing.ask(deletePriceList, { id })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `The price list ${id} "List" has 2 import tasks. Send with_history=true to delete them too.`,
    })
    expect(await pricing.offers('DEL1')).toHaveLength(1)
    await pricing.until(() => pricing.ask(deletePriceList, { id, with_history: true }).catch(() => undefined))
    expect(await pricing.offers('DEL1')).toEqual([])
    for (const collection of ['offers', 'price_files.files', 'price_files.chunks', 'files', 'import_tasks'])
      expect([collection, await pricing.db.collection(collection).countDocuments()]).toEqual([collection, 0])
  })

  it('hides a large list at once and deletes its data soon after', async () => {
    const { id } = await pricing.newList()
    await pricing.import(id, 'Бренд;Артикул;Количество\nA;DEL-2;5\n')
    const { offers } = pricing.stores
    let letGo = (): void => undefined
    const held = new Promise<void>((done) => {
      letGo = done
    })
    const deleteNow = offers.delete.bind(offers)
    offers.delete = (version) => held.then(() => deleteNow(version))
    await pricing.until(() => pricing.ask(deletePriceList, { id, with_history: true }).catch(() => undefined))
    await expect(pricing.ask(getPriceList, { id })).rejects.toMatchObject(notFound)
    expect(await pricing.offers('DEL2')).toEqual([])
    expect(await pricing.db.collection('offers').countDocuments({ article_key: 'DEL2' })).toBe(1)
    // a backup waits for it (docs/operate/backup.md#quiet)
    const { busy } = pricing.get(PausableWork)
    expect(busy).toContain('deletion of a price list')
    letGo()
    await pricing.until(async () => (pricing.get(PausableWork).busy.length === 0 ? true : undefined))
    expect(await pricing.db.collection('offers').countDocuments({ article_key: 'DEL2' })).toBe(0)
    offers.delete = deleteNow
  })

  it('a list that another process hides without a decision is neither deleted nor lost', async () => {
    const { id } = await pricing.newList()
    await pricing.import(id, 'Бренд;Артикул;Количество\nA;HIDE-1;5\n')
    // the import holds the lease of the list for a moment longer than its task is open
    await pricing.until(async () => (await pricing.stores.lists.hide(id)) || undefined)
    await pricing.clean()
    expect(await pricing.db.collection('offers').countDocuments({ article_key: 'HIDE1' })).toBe(1)
    await pricing.stores.lists.show(id)
    expect(await pricing.offers('HIDE1')).toHaveLength(1)
    expect(await pricing.stores.lists.hide(id)).toBe(true)
    // its process died
    await pricing.db
      .collection<{ _id: number }>('price_lists')
      .updateOne({ _id: id }, { $set: { hidden_at: new Date(0) } })
    await pricing.clean()
    expect(await pricing.db.collection('offers').countDocuments({ article_key: 'HIDE1' })).toBe(0)
  })

  // admin.md#price-list-delete
  it('a deletion that sees an upload only after it has hidden the list refuses itself, not the upload', async () => {
    const { id } = await pricing.newList()
    const { files, lists } = pricing.stores
    const markUsed = files.markUsed.bind(files)
    const upload = (decide: () => Promise<unknown>) => {
      files.markUsed = async (file) => {
        files.markUsed = markUsed
        const isMarked = await markUsed(file)
        // the import before holds the lease of the list for a moment longer than its task is open
        await pricing.until(async () => (await lists.hide(id)) || undefined)
        setTimeout(() => void decide(), 100)
        return isMarked
      }
      return pricing.upload(id, 'Бренд;Артикул;Количество\nA;RACE-1;5\n')
    }
    await pricing.finish(await upload(() => lists.show(id)))
    expect(await pricing.offers('RACE1')).toHaveLength(1)
    await expect(upload(() => lists.beginDeletion(id))).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  // admin.md#price-list-delete
  it('a list of which an import began and ended during its deletion is kept unless with_history is sent', async () => {
    const { id } = await pricing.newList()
    const { tasks } = pricing.stores
    const count = tasks.countOfList.bind(tasks)
    tasks.countOfList = async (list) => {
      tasks.countOfList = count
      const before = await count(list)
      await pricing.import(id, 'Бренд;Артикул;Количество\nA;MID-1;5\n')
      // it holds the lease of the list for a moment longer
      const lists = pricing.db.collection<{ _id: number; lease_owner: string }>('price_lists')
      await pricing.until(async () => (await lists.findOne({ _id: id, lease_owner: '' })) ?? undefined)
      return before
    }
    await expect(pricing.ask(deletePriceList, { id })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `The price list ${id} "List" has 1 import task. Send with_history=true to delete them too.`,
    })
    expect(await pricing.offers('MID1')).toHaveLength(1)
  })

  it('offers of an import that ended while the list was being deleted are deleted too', async () => {
    const { id } = await pricing.newList()
    const { lists } = pricing.stores
    const { id: first } = await pricing.import(id, 'Бренд;Артикул;Количество\nA;LATE-1;5\n')
    const stale = await lists.find(id)
    await pricing.import(id, 'Бренд;Артикул;Количество\nA;LATE-1;6\n')
    const find = lists.find.bind(lists)
    lists.find = () => Promise.resolve(stale)
    await pricing.until(() => pricing.ask(deletePriceList, { id, with_history: true }).catch(() => undefined))
    lists.find = find
    expect(
      await pricing.db.collection('offers').countDocuments({ article_key: 'LATE1', version: { $gte: first } }),
    ).toBe(0)
  })

  it('offers are those of active lists of the requested storages and brands', async () => {
    const { id } = await pricing.newList()
    await pricing.import(id, 'Бренд;Артикул;Количество\nKYB;OF-1;5\nSachs;OF1;3\nTRW;of 1;0\n')
    const ask = (more: object) =>
      pricing
        .ask(findOffers, { storage_ids: [STORAGE], article_key: 'OF1', ...more })
        .then(({ offers }) => offers.map(({ brand }) => brand))
    expect(await ask({})).toEqual(['KYB', 'Sachs'])
    expect(await ask({ brand_keys: ['SACHS'] })).toEqual(['Sachs'])
    // admin.md#search-sold-out
    expect(await ask({ with_sold_out: true })).toEqual(['KYB', 'Sachs', 'TRW'])
    expect(await ask({ storage_ids: [1] })).toEqual([])
    await pricing.ask(patchPriceList, { id, patch: { is_active: false } })
    expect(await ask({})).toEqual([])
  })
})

describe('sources of a list', () => {
  it('get ids and an interval; the password reads "***", and "***" keeps it', async () => {
    const list = await pricing.newList({
      sources: [url({ username: 'u', password: 'p4ss' }), url({ every_minutes: 5 })],
    })
    expect(list.sources).toEqual([
      {
        id: 1,
        kind: 'url',
        url: 'https://supplier.example/price.csv',
        is_active: true,
        every_minutes: 60,
        username: 'u',
        password: '***',
        last_run: null,
      },
      {
        id: 2,
        kind: 'url',
        url: 'https://supplier.example/price.csv',
        is_active: true,
        every_minutes: 5,
        last_run: null,
      },
    ])
    await pricing.ask(patchPriceList, {
      id: list.id,
      patch: { sources: [url({ id: 1, username: 'u', password: '***' }), url({ password: 'new' })] },
    })
    const stored = await pricing.stores.lists.find(list.id)
    expect(
      stored?.sources.map(({ id, sealed_password }) => [
        id,
        sealed_password && openPassword(pricing.get(SecretBox), sealed_password, list.id, id),
      ]),
    ).toEqual([
      [1, 'p4ss'],
      [3, 'new'],
    ])
  })

  it.each<[object, string, string]>([
    [{ password: '***' }, 'password', 'The password has no stored value to keep.'],
    [{ id: 77 }, 'id', 'The selected id is invalid.'],
    [{ url: 'file:///etc/passwd' }, 'url', 'The url must be an http or https URL.'],
    [
      { url: 'https://u:p@supplier.example/' },
      'url',
      'The url must not contain a user name or password; send them as username and password.',
    ],
  ])('%j is a violation', async (more, field, text) => {
    await expect(pricing.newList({ sources: [url(more)] })).rejects.toMatchObject(
      violation({ [`sources.0.${field}`]: [text] }),
    )
  })
})
