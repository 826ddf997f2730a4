import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { acceptUpload, deletePriceList, previewUpload, readTaskFile } from '@partsbus/contracts/pricing-import/commands'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import { type PricingUnderTest, startPricing } from '../testing/pricing-under-test.js'

const csv = 'Бренд;Артикул;Наименование;Количество;Цена\nBOSCH;0 986 452 041;Filter;5;120\nMANN;W 712;Filter;7;99.50\n'
const HOUR = 3_600

let place: string
let pricing: PricingUnderTest
beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'partsbus-folders-'))
  pricing = await startPricing({ UPLOADS_PATH: join(place, 'uploads'), FILES_PATH: join(place, 'files') })
})
afterAll(async () => {
  await pricing?.stop()
  rmSync(place, { recursive: true })
})

/** Writes a file like the gateway. */
function writeUpload(content: string, file_name = 'price.csv') {
  const object = randomUUID()
  const folder = join(place, 'uploads')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, object), content)
  return { object, file_name, size: Buffer.byteLength(content) }
}
const isTaken = (object: string): Promise<boolean> =>
  waitUntil(() => !existsSync(join(place, 'uploads', object)), { withinMs: 20_000 })

describe('uploads and files in folders', () => {
  it('stores, imports, returns and deletes a file with its list', async () => {
    const list = await pricing.newList()
    const upload = writeUpload(csv)
    const { task_id } = await pricing.ask(acceptUpload, { price_list_id: list.id, ...upload })
    expect(await isTaken(upload.object)).toBe(true)
    expect(await pricing.finish(task_id)).toMatchObject({ status: 'completed', imported_rows: 2 })
    expect(await pricing.offers('W712')).toMatchObject([{ brand: 'MANN', price: 99.5 }])
    expect((await pricing.read(readTaskFile, { id: task_id, offset: 0, length: 1_000 })).toString()).toBe(csv)
    expect(readdirSync(join(place, 'files'))).toHaveLength(1)
    expect(await pricing.db.collection('price_files.chunks').countDocuments()).toBe(0)
    await pricing.ask(deletePriceList, { id: list.id, with_history: true })
    expect(await waitUntil(() => readdirSync(join(place, 'files')).length === 0, { withinMs: 20_000 })).toBe(true)
  })

  it('stores a previewed file until it is swept, and a rejected one never', async () => {
    const list = await pricing.newList()
    const bad = writeUpload('MZ', 'price.xlsx')
    await expect(pricing.ask(acceptUpload, { price_list_id: list.id, ...bad })).rejects.toMatchObject({
      code: 'INVALID_FILE',
    })
    const seen = writeUpload(csv)
    const previewed = await pricing.ask(previewUpload, { price_list_id: list.id, ...seen })
    expect(previewed.totals.rows).toBe(2)
    expect([await isTaken(bad.object), await isTaken(seen.object)]).toEqual([true, true])
    const { preview_id } = previewed
    expect(readdirSync(join(place, 'files'))).toEqual([preview_id])
    await pricing.db.collection('files').updateOne({ key: preview_id }, { $set: { at: new Date(0) } })
    await pricing.clean()
    expect(readdirSync(join(place, 'files'))).toEqual([])
  })

  it.each(['../files/1', '/etc/passwd', '', randomUUID()])(
    'rejects an object that is not an upload: %j',
    async (object) => {
      const list = await pricing.newList()
      await expect(
        pricing.ask(acceptUpload, { price_list_id: list.id, object, file_name: 'price.csv', size: 5 }),
      ).rejects.toMatchObject({ code: 'INVALID_FILE' })
    },
  )

  it('deletes the files of a dead gateway after an hour', async () => {
    const [old, fresh] = [writeUpload(csv), writeUpload(csv)]
    const longAgo = Date.now() / 1_000 - HOUR - 60
    utimesSync(join(place, 'uploads', old.object), longAgo, longAgo)
    await pricing.clean()
    expect([old, fresh].map(({ object }) => existsSync(join(place, 'uploads', object)))).toEqual([false, true])
  })
})
