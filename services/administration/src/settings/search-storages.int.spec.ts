import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { patchSettings, setInSearch, showSettings } from '@partsbus/contracts/administration/settings-commands'
import { listAudit } from '@partsbus/contracts/administration/audit'
import { acquireStorageLock, releaseStorageLock } from '@partsbus/contracts/administration/commands'
import { busHeaders } from '@partsbus/contracts/message'
import { getStorage } from '@partsbus/contracts/stock/commands'
import { headers } from '@nats-io/transport-node'
import { type AdministrationUnderTest, startAdministrationUnderTest } from '../testing/administration-under-test.js'

const caller = { administrator: { id: 4, name: 'pavel' }, request_id: 'r-1', address: null }

let service: AdministrationUnderTest
/** The storages of the stock service, by id; a function runs when it is asked. */
let storages: Map<number, object | (() => object | undefined)>
beforeAll(async () => {
  service = await startAdministrationUnderTest()
  await service.startReplica()
  service.connection.nc.subscribe(getStorage.subject, {
    callback: (_error, message) => {
      const { id } = message.json<{ id: number }>()
      const known = storages.get(id)
      const supplier = typeof known === 'function' ? known() : known
      if (supplier) {
        message.respond(JSON.stringify({ id, name: `Storage ${id}`, is_active: true, supplier, revision: 1 }))
        return
      }
      const failed = headers()
      failed.set(busHeaders.error, 'NOT_FOUND')
      message.respond(JSON.stringify({ code: 'NOT_FOUND', message: 'Not found.' }), { headers: failed })
    },
  })
})
afterAll(() => service?.stop())
beforeEach(async () => {
  const list = { kind: 'price-list' }
  storages = new Map([1, 2, 3, 4, 5, 6, 7, 8].map((id) => [id, list]))
  await service.ask(patchSettings, { patch: { storages_for_crosses: [1] }, caller })
  await service.db.collection('audit').deleteMany({})
})

const asked = async () => (await service.ask(showSettings, {})).storages_for_crosses
const set = (id: number, in_search = true) => service.ask(setInSearch, { id, in_search, caller })
const audit = async () => (await service.ask(listAudit, { page: 1, per_page: 50 })).data

describe('one storage of the search (admin.md#storage-in-search)', () => {
  it('is added by whoever asked, which the audit log says', async () => {
    await set(2)
    expect(await asked()).toEqual([1, 2])
    expect(await audit()).toMatchObject([
      {
        actor: 'pavel',
        action: 'settings.patch',
        details: {
          reason: 'storage 2 was included in the search',
          changed: { storages_for_crosses: { from: [1], to: [1, 2] } },
        },
      },
    ])
  })

  it('changes and records nothing where it is in it already', async () => {
    const { revision } = await service.ask(showSettings, {})
    await set(1)
    expect([(await service.ask(showSettings, {})).revision, await audit()]).toEqual([revision, []])
  })

  it('is added beside all that others change at the same time', async () => {
    const others = service.ask(patchSettings, { patch: { media_wait_ms: 4_321 }, caller })
    await Promise.all([others, ...[2, 3, 4, 5, 6, 7, 8].map((id) => set(id))])
    expect((await asked()).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect((await service.ask(showSettings, {})).media_wait_ms).toBe(4_321)
  })

  it('is removed again', async () => {
    await set(2)
    await set(1, false)
    expect(await asked()).toEqual([2])
  })

  it('is refused for a storage that is not there, or asks another system', async () => {
    storages.set(3, { kind: 'http', base_url: 'https://a.example' })
    await expect(set(99)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(set(3)).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('An owner') })
    expect([await asked(), await audit()]).toEqual([[1], []])
  })

  it('leaves the setting as it was when the storage is deleted meanwhile', async () => {
    let looks = 0
    storages.set(2, () => ((looks += 1) === 1 ? { kind: 'price-list' } : undefined))
    await expect(set(2)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect([await asked(), await audit()]).toEqual([[1], []])
  })

  it('is refused while the setting is full', async () => {
    const full = Array.from({ length: 1_000 }, (_, at) => at + 100)
    await service.db.collection('settings').updateOne({}, { $set: { 'values.storages_for_crosses': full } })
    await expect(set(2)).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('1000') })
    expect(await asked()).toEqual(full)
  })
})

describe('settings that name a storage (admin.md#references)', () => {
  it('wait for a deletion, and are refused when it was of what they name', async () => {
    const deletion = { owner: 'a gateway', lease_ms: 20_000 }
    expect(await service.ask(acquireStorageLock, deletion)).toEqual({ is_held: true })
    let isOver = false
    // what was being deleted is there until the deletion is over
    storages.set(2, () => (isOver ? undefined : { kind: 'price-list' }))
    const patch = (names: object) => service.ask(patchSettings, { patch: names, caller })
    const refused = expect(patch({ erp_storage_id: 2 })).rejects.toMatchObject({ code: 'CONTRACT_VIOLATION' })
    const refusedList = expect(patch({ storages_for_crosses: [1, 2] })).rejects.toMatchObject({
      code: 'CONTRACT_VIOLATION',
    })
    // settings that name nothing do not wait
    await patch({ media_wait_ms: 1_234 })
    isOver = true
    await service.ask(releaseStorageLock, { owner: deletion.owner })
    await Promise.all([refused, refusedList])
    expect(await service.ask(showSettings, {})).toMatchObject({ erp_storage_id: null, storages_for_crosses: [1] })
  })
})
