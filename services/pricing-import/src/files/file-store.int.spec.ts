import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
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

describe('files', () => {
  it('come back as they were kept, whatever their size', async () => {
    for (const size of [1, 1024 * 1024, 2.5 * 1024 * 1024]) {
      const bytes = Buffer.alloc(size, 'price')
      writeFileSync(join(folder, 'in'), bytes)
      const { id } = await pricing.stores.files.keep(join(folder, 'in'), 'price.csv')
      await pricing.stores.files.copyTo(id, join(folder, 'out'))
      expect(readFileSync(join(folder, 'out')).equals(bytes)).toBe(true)
    }
  })

  it('that do not fit the disk are an error, not the end of the process', async () => {
    writeFileSync(join(folder, 'in'), Buffer.alloc(3 * 1024 * 1024))
    const { id } = await pricing.stores.files.keep(join(folder, 'in'), 'price.csv')
    await expect(pricing.stores.files.copyTo(id, '/dev/full')).rejects.toMatchObject({ code: 'ENOSPC' })
  })
})
