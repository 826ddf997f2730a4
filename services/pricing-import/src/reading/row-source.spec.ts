import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from '@jest/globals'
import { RowSource } from './row-source.js'

const MIB = 1024 * 1024
const folder = mkdtempSync(join(tmpdir(), 'partsbus-rows-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function readTwice(name: string, rows: number, characters: number) {
  const path = join(folder, name)
  writeFileSync(path, `Brand;Article;Text\n${`KYB;A-1;${'x'.repeat(characters)}\n`.repeat(rows)}`)
  const source = await RowSource.open({ path, name, maxUnpacked: 1_000 * MIB }, folder, {})
  const read = async () => {
    const blocks = []
    for await (const block of source.blocks()) blocks.push(block)
    return blocks
  }
  return [await read(), await read()] as const
}

it('keeps the rows of a small file', async () => {
  const [first, second] = await readTwice('small.csv', 100, 10)
  expect(second[0]?.rows).toBe(first[0]?.rows)
})

it('lets others take their turn in a file of very many rows, on each reading', async () => {
  const path = join(folder, 'short.csv')
  const rows = 120_000
  writeFileSync(path, 'a\n'.repeat(rows))
  const source = await RowSource.open({ path, name: 'short.csv', maxUnpacked: MIB }, folder, {})
  for (const _reading of ['from the file', 'from memory']) {
    let turns = 0
    let isReading = true
    const count = (): void => {
      turns += 1
      if (isReading) setImmediate(count)
    }
    setImmediate(count)
    let next = 1
    for await (const block of source.blocks()) {
      expect(block.first).toBe(next)
      next += block.rows.length
    }
    isReading = false
    expect(next).toBe(rows + 1)
    expect(turns).toBeGreaterThan(rows / 4_000)
  }
})

it('reads a file of few long rows again instead of keeping it', async () => {
  const [first, second] = await readTwice('wide.csv', 90, 200 * 1024)
  expect(second[0]?.rows).not.toBe(first[0]?.rows)
  expect(second).toEqual(first)
})
