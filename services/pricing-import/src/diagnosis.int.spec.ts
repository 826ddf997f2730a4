import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import type { Finding } from '@partsbus/contracts/diagnosis'
import { askService } from '@partsbus/platform/diagnosis/ask-service'
import { SecretBox } from '@partsbus/platform/process/secret-box'
import { changeDocuments, type DocumentChanges, type Undo } from '@partsbus/test-kit/change-documents'
import { offerId } from './offers/offer-id.js'
import { OfferStore } from './offers/offer-store.js'
import { type PricingUnderTest, startPricing } from './testing/pricing-under-test.js'

jest.setTimeout(60_000)

const folder = mkdtempSync(join(tmpdir(), 'partsbus-diagnosis-'))
const OFFER = offerId(1, 1)
let pricing: PricingUnderTest
let changes: DocumentChanges
let list: number

beforeAll(async () => {
  pricing = await startPricing({ UPLOADS_PATH: folder, FILES_PATH: join(folder, 'files') })
  changes = changeDocuments(pricing.db)
  list = (await pricing.newList()).id
  const sealed_password = pricing.get(SecretBox).seal('secret', `price list ${list} source 1`)
  await changes.update('price_lists', list, {
    active_version: 1,
    versions: [{ version: 1, rows: 1, created_at: new Date() }],
    sources: [{ id: 1, is_active: false, sealed_password, state: {} }],
  })
  for (const name of ['import_tasks', 'price_lists', 'files']) await changes.update('counters', name, { value: 5 })
  await changes.insert('offers', { _id: OFFER, version: 1, article_key: 'A' })
  await changes.insert('files', { _id: 1, key: 'k', driver: 'gridfs', whole: true, used: true, at: new Date() })
  await changes.insert('price_files.chunks', { _id: 'k/000000', n: 0, data: Buffer.from('x') })
})
afterAll(async () => {
  await pricing?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The disk of the machine that runs the tests may be full. */
async function findings(): Promise<Finding[]> {
  const report = await askService({ request: (command, body) => pricing.ask(command, body) }, 'pricing-import', false)
  return report?.findings.filter(({ code }) => code !== 'disk-full') ?? []
}
const sealedElsewhere = new SecretBox([randomBytes(32)]).seal('secret', '')

const faults: Array<[code: string, cause: string, make: () => Promise<Undo>]> = [
  ['list-without-storage', 'a list of a lost storage', () => changes.update('price_lists', list, { storage_id: 8 })],
  ['live-version-without-offers', 'lost offers', () => changes.remove('offers', OFFER)],
  ['file-missing', 'lost bytes of a price list', () => changes.remove('price_files.chunks', 'k/000000')],
  [
    'secrets-unreadable',
    'a password under another key',
    () => changes.update('price_lists', list, { 'sources.0.sealed_password': sealedElsewhere }),
  ],
]

it('finds nothing in a healthy service', async () => {
  expect(await findings()).toEqual([])
})

it('finds nothing in a list that is deleted, whose offers go first', async () => {
  const undo = [await changes.remove('offers', OFFER), await changes.update('price_lists', list, { deleted: true })]
  try {
    expect(await findings()).toEqual([])
  } finally {
    for (const each of undo.reverse()) await each()
  }
})

it('finds nothing in a version that is replaced and deleted while it is looked at', async () => {
  const undo = [await changes.remove('offers', OFFER)]
  const page = jest.spyOn(OfferStore.prototype, 'page').mockImplementationOnce(async () => {
    undo.push(await changes.update('price_lists', list, { active_version: 2 }))
    return { offers: [] } as unknown as Awaited<ReturnType<OfferStore['page']>>
  })
  try {
    expect((await findings()).map(({ code }) => code)).toEqual([])
    expect(page).toHaveBeenCalled()
  } finally {
    page.mockRestore()
    for (const each of undo.reverse()) await each()
  }
})

describe('finds', () => {
  it.each(faults)('%s: %s', async (code, _cause, make) => {
    const undo = await make()
    try {
      const found = await findings()
      expect(found.map((each) => each.code)).toContain(code)
      for (const { message, advice } of found) expect([message, advice]).not.toContain('')
    } finally {
      await undo()
    }
  })

  it('folder-missing', async () => {
    rmSync(folder, { recursive: true })
    expect((await findings()).map(({ code }) => code)).toEqual(['folder-missing', 'folder-missing'])
  })
})
