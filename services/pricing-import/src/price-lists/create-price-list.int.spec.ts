import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { acquireStorageLock, releaseStorageLock } from '@partsbus/contracts/administration/commands'
import { findSettingsReferences, setInSearch } from '@partsbus/contracts/administration/settings-commands'
import { busHeaders, type Command, type RequestOf } from '@partsbus/contracts/message'
import { createPriceList, listPriceLists } from '@partsbus/contracts/pricing-import/commands'
import { createStorage, deleteStorage } from '@partsbus/contracts/stock/commands'
import { headers } from '@nats-io/transport-node'
import { type PricingUnderTest, startPricing, STORAGE } from '../testing/pricing-under-test.js'
import { PriceListStore } from './price-list-store.js'

const caller = { administrator: { id: 4, name: 'pavel' }, request_id: 'r-1', address: null }
const NEW_STORAGE = 70

let pricing: PricingUnderTest
/** What the other services were asked for, and have now. */
let asked: string[]
let storages: Set<number>
let inSearch: Set<number>
/** Settings besides the search that name the new storage. */
let named: string[]
/** The error of a command, by subject; `unheard`: after it has done its work. */
let refusals: Map<string, { code: string; unheard?: true }>

beforeAll(async () => {
  pricing = await startPricing()
  const answer = <C extends Command>(command: C, work: (body: RequestOf<C>) => object): void => {
    pricing.connection.nc.subscribe(command.subject, {
      callback: (_error, message) => {
        const refusal = refusals.get(command.subject)
        const body = message.json<RequestOf<C>>()
        if ('id' in (body as object)) asked.push(`${command.subject} ${(body as { id: number }).id}`)
        const reply = refusal && !refusal.unheard ? {} : work(body)
        const failed = headers()
        if (refusal) failed.set(busHeaders.error, refusal.code)
        const error = { code: refusal?.code, message: 'No.' }
        message.respond(JSON.stringify(refusal ? error : reply), { headers: failed })
      },
    })
  }
  answer(createStorage, ({ id = 0, ...storage }) => {
    storages.add(id)
    return { id, ...storage, revision: 1 }
  })
  answer(deleteStorage, ({ id }) => {
    storages.delete(id)
    return {}
  })
  answer(acquireStorageLock, () => ({ is_held: true }))
  answer(releaseStorageLock, () => ({}))
  answer(findSettingsReferences, ({ id }) => ({
    settings: [...named, ...(inSearch.has(id) ? ['storages_for_crosses'] : [])],
  }))
  answer(setInSearch, ({ id, in_search }) => {
    if (in_search) inSearch.add(id)
    else inSearch.delete(id)
    return {}
  })
})
afterAll(() => pricing?.stop())
beforeEach(async () => {
  asked = []
  storages = new Set()
  inSearch = new Set()
  named = []
  refusals = new Map()
  await pricing.db.collection('price_lists').deleteMany({})
})

const create = (more: Partial<RequestOf<typeof createPriceList>> = {}, searched: number[] = []) =>
  pricing.ask(
    createPriceList,
    { name: 'L', storage_id: NEW_STORAGE, storage: { name: 'S' }, in_search: true, caller, ...more },
    { storages_for_crosses: searched },
  )
const lists = async () => (await pricing.ask(listPriceLists, { page: 1, per_page: 50 })).data
/** All that there is of a list, its hidden document included. */
const left = async () => ({
  storages: [...storages],
  inSearch: [...inSearch],
  lists: await pricing.db.collection('price_lists').countDocuments(),
})
const nothing = { storages: [], inSearch: [], lists: 0 }
/** As if it was hidden so long ago that the creation cannot be under way. */
const age = () =>
  pricing.db.collection('price_lists').updateMany({ deleted: true }, { $set: { hidden_at: new Date(0) } })

describe('a list with what other services make for it (admin.md#price-list-storage)', () => {
  it('is there with its storage, which the search asks', async () => {
    const list = await create()
    expect(list).toMatchObject({ name: 'L', storage_id: NEW_STORAGE, revision: 1 })
    expect(await left()).toEqual({ storages: [NEW_STORAGE], inSearch: [NEW_STORAGE], lists: 1 })
    expect(await lists()).toMatchObject([{ id: list.id, storage_id: NEW_STORAGE }])
    await age()
    await pricing.clean()
    expect(await lists()).toHaveLength(1)
  })

  it('of an existing storage asks for nothing unless it is to be in the search and is not', async () => {
    await create({ storage_id: STORAGE, storage: undefined, in_search: false })
    await create({ storage_id: STORAGE, storage: undefined }, [STORAGE])
    expect(asked).toEqual([])
    await create({ storage_id: STORAGE, storage: undefined })
    expect(asked).toEqual([`${setInSearch.subject} ${STORAGE}`])
    expect(await lists()).toHaveLength(3)
  })

  it('is refused for its sources before anything is made', async () => {
    await expect(
      create({ sources: [{ kind: 'url', url: 'https://a.example', password: '***' }] }),
    ).rejects.toMatchObject({ code: 'CONTRACT_VIOLATION' })
    expect([asked, await left()]).toEqual([[], nothing])
  })

  it.each<[string, Command, string]>([
    ['the storage', createStorage, 'CONTRACT_VIOLATION'],
    ['the search', setInSearch, 'CONFLICT'],
  ])('leaves nothing behind when %s is refused', async (_step, command, code) => {
    refusals.set(command.subject, { code })
    await expect(create()).rejects.toMatchObject({ code })
    refusals.clear()
    await age()
    await pricing.clean()
    expect(await left()).toEqual(nothing)
  })

  it.each<[string, Command]>([
    ['the storage', createStorage],
    ['the search', setInSearch],
  ])('leaves nothing behind when the answer of %s was lost', async (_step, command) => {
    refusals.set(command.subject, { code: 'TIMEOUT', unheard: true })
    await expect(create()).rejects.toMatchObject({ code: 'TIMEOUT' })
    expect(await lists()).toEqual([])
    refusals.clear()
    // the step may be under way still
    await pricing.clean()
    expect((await left()).lists).toBe(1)
    await age()
    await pricing.clean()
    expect(await left()).toEqual(nothing)
  })

  it('leaves nothing behind when the process stopped before the list was completed, also if it goes on', async () => {
    const { complete } = PriceListStore.prototype
    let goOn: () => void = () => undefined
    const reached = new Promise<void>((isReached) => {
      PriceListStore.prototype.complete = async function (id) {
        PriceListStore.prototype.complete = complete
        isReached()
        await new Promise<void>((resolve) => (goOn = resolve))
        return complete.call(this, id)
      }
    })
    const creation = create().catch((error: unknown) => error)
    await reached
    await pricing.clean()
    // it could still be under way
    expect([await lists(), (await left()).storages]).toEqual([[], [NEW_STORAGE]])
    await age()
    await pricing.clean()
    expect(await left()).toEqual(nothing)
    goOn()
    expect(await creation).toMatchObject({ code: 'TIMEOUT' })
    expect(await left()).toEqual(nothing)
  })

  it('keeps the place in the search of one that was tried again', async () => {
    refusals.set(setInSearch.subject, { code: 'TIMEOUT' })
    await expect(create({ storage_id: STORAGE, storage: undefined })).rejects.toMatchObject({ code: 'TIMEOUT' })
    refusals.clear()
    await create({ storage_id: STORAGE, storage: undefined })
    await age()
    await pricing.clean()
    expect(await left()).toEqual({ storages: [], inSearch: [STORAGE], lists: 1 })
  })

  it('takes a storage with an older list out of the search again', async () => {
    await create({ storage_id: STORAGE, storage: undefined, in_search: false })
    refusals.set(setInSearch.subject, { code: 'TIMEOUT', unheard: true })
    await expect(create({ storage_id: STORAGE, storage: undefined })).rejects.toMatchObject({ code: 'TIMEOUT' })
    expect((await left()).inSearch).toEqual([STORAGE])
    refusals.clear()
    await age()
    await pricing.clean()
    expect(await left()).toEqual({ storages: [], inSearch: [], lists: 1 })
  })

  it('leaves the search alone that refused it: who included the storage meanwhile keeps it there', async () => {
    inSearch.add(STORAGE)
    refusals.set(setInSearch.subject, { code: 'CONFLICT' })
    await expect(create({ storage_id: STORAGE, storage: undefined })).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await left()).toEqual({ storages: [], inSearch: [STORAGE], lists: 0 })
  })

  it.each<[string, () => Promise<void>, lists: number]>([
    [
      'another list',
      async () => {
        const { id } = await pricing.newList({ name: 'Other' })
        const documents = pricing.db.collection<{ _id: number }>('price_lists')
        await documents.updateOne({ _id: id }, { $set: { storage_id: NEW_STORAGE } })
      },
      1,
    ],
    ['a setting', async () => void named.push('erp_storage_id'), 0],
  ])('keeps the storage that %s names meanwhile', async (_what, use, count) => {
    refusals.set(setInSearch.subject, { code: 'TIMEOUT' })
    await expect(create()).rejects.toMatchObject({ code: 'TIMEOUT' })
    refusals.clear()
    await use()
    await age()
    await pricing.clean()
    expect(await left()).toMatchObject({ storages: [NEW_STORAGE], lists: count })
  })

  it('is tried again by the clean-up while another service does not answer', async () => {
    refusals.set(setInSearch.subject, { code: 'UNAVAILABLE' })
    await expect(create()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await age()
    // hidden and undecided, and needs no other service
    const other = await pricing.newList({ name: 'Other' })
    await pricing.db
      .collection<{ _id: number }>('price_lists')
      .updateOne({ _id: other.id }, { $set: { deleted: true, deleting: true } })
    await pricing.clean()
    expect(await left()).toMatchObject({ storages: [NEW_STORAGE], lists: 1 })
    refusals.clear()
    await pricing.clean()
    expect(await left()).toEqual(nothing)
  })
})
