import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { Collection } from 'mongodb'
import { filesConfig } from './files-config.js'
import { openPriceFiles } from './file-store.js'
import { type PricingUnderTest, startPricing } from '../testing/pricing-under-test.js'

let pricing: PricingUnderTest
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'partsbus-files-'))
  pricing = await startPricing()
})
afterAll(async () => {
  await pricing?.stop()
  rmSync(folder, { recursive: true })
})

describe('the layout of stored files', () => {
  it('is a file in `price-files` of STORAGE_PATH, or in FILES_PATH', async () => {
    writeFileSync(join(folder, 'in'), 'x')
    for (const [config, path] of [
      [{ STORAGE_DRIVER: 'fs', STORAGE_PATH: folder }, join(folder, 'price-files')],
      [{ STORAGE_PATH: folder, FILES_PATH: join(folder, 'own') }, join(folder, 'own')],
    ] as const) {
      const drivers = await openPriceFiles(pricing.db, filesConfig.parse(config))
      expect(drivers.current).toBe('fs')
      await drivers.get('fs').writeFrom('8-hh', join(folder, 'in'))
      expect(readdirSync(path)).toEqual(['8-hh'])
    }
  })

  it('is the bucket `price_files` with chunk numbers of six digits', async () => {
    const { current, get } = await openPriceFiles(pricing.db, filesConfig.parse({}))
    expect(current).toBe('gridfs')
    await get(current).writeFrom('9-ii', join(folder, 'in'))
    expect(await pricing.db.collection('price_files.chunks').distinct('_id')).toEqual(['9-ii/000000'])
    await get(current).delete('9-ii')
  })
})

describe('files', () => {
  it('come back as they were kept, whatever their size', async () => {
    for (const size of [1, 1024 * 1024, 2.5 * 1024 * 1024]) {
      const bytes = Buffer.alloc(size, 'price')
      writeFileSync(join(folder, 'in'), bytes)
      const { id } = await pricing.stores.files.store(join(folder, 'in'), 'price.csv')
      await pricing.stores.files.copyTo(id, join(folder, 'out'))
      expect(readFileSync(join(folder, 'out')).equals(bytes)).toBe(true)
    }
  })

  it('whose deletion has begun are not used by a task, and their bytes go', async () => {
    writeFileSync(join(folder, 'in'), 'price')
    const { files } = pricing.stores
    const { id } = await files.store(join(folder, 'in'), 'price.csv')
    const records = pricing.db.collection<{ _id: number }>('files')
    await records.updateOne({ _id: id }, { $set: { deleting: true } })
    expect(await files.markUsed(id)).toBe(false)
    // a process that was killed between the mark and the bytes is followed by the next one
    await files.delete(id)
    expect(await records.countDocuments({ _id: id })).toBe(0)
    await expect(files.copyTo(id, join(folder, 'out'))).rejects.toThrow()
  })

  it('that were previewed since they were found unused stay', async () => {
    writeFileSync(join(folder, 'in'), 'price')
    const { files } = pricing.stores
    const { id, key } = await files.store(join(folder, 'in'), 'price.csv')
    const records = pricing.db.collection<{ _id: number }>('files')
    await records.updateOne({ _id: id }, { $set: { at: new Date(Date.now() - 3_700_000) } })
    const [found] = await files.listUnused()
    await files.findPreviewed(key)
    await files.deleteUnless(() => Promise.resolve(false), found ?? { id: 0 })
    expect(await files.get(id)).toBeDefined()
    await files.delete(id)
  })

  it('of a preview that give way to newer ones stay when an import has begun to use them', async () => {
    writeFileSync(join(folder, 'in'), 'price')
    const { files } = pricing.stores
    const stored = [await files.store(join(folder, 'in'), 'price.csv', 77)]
    while (stored.length < 20) stored.push(await files.store(join(folder, 'in'), 'price.csv', 77))
    const { findOneAndUpdate } = Collection.prototype
    const oldest = stored[0]?.id ?? 0
    const spy = jest.spyOn(Collection.prototype, 'findOneAndUpdate').mockImplementationOnce(async function (
      this: Collection,
      ...args: unknown[]
    ) {
      expect(await files.markUsed(oldest)).toBe(true)
      return findOneAndUpdate.apply(this, args as never)
    } as never)
    stored.push(await files.store(join(folder, 'in'), 'price.csv', 77))
    expect(spy).toHaveBeenCalled()
    spy.mockRestore()
    expect(await files.get(oldest)).toBeDefined()
    for (const { id } of stored) await files.delete(id)
  })

  it('are never stored over another one, even if its id is given again (rules.md#restored-ids)', async () => {
    writeFileSync(join(folder, 'in'), 'price')
    const { files } = pricing.stores
    const { id, key } = await files.store(join(folder, 'in'), 'old.csv')
    const next = (await files.store(join(folder, 'in'), 'other.csv')).id + 1
    const records = pricing.db.collection<{ _id: number }>('files')
    const { _id, ...record } = (await records.findOne({ _id: id })) ?? { _id: 0 }
    await records.insertOne({ _id: next, ...record })
    await expect(files.store(join(folder, 'in'), 'new.csv')).rejects.toMatchObject({ code: 11000 })
    expect(await records.findOne({ _id: next })).toMatchObject({ name: 'old.csv', key })
    await records.deleteOne({ _id: next })
  })

  it('that do not fit the disk are an error, not the end of the process', async () => {
    writeFileSync(join(folder, 'in'), Buffer.alloc(3 * 1024 * 1024))
    const { id } = await pricing.stores.files.store(join(folder, 'in'), 'price.csv')
    await expect(pricing.stores.files.copyTo(id, '/dev/full')).rejects.toMatchObject({ code: 'ENOSPC' })
  })
})
