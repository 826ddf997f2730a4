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
  expect(second[0]).toBe(first[0])
})

it('reads a file of few long rows again instead of keeping it', async () => {
  const [first, second] = await readTwice('wide.csv', 90, 200 * 1024)
  expect(second[0]).not.toBe(first[0])
  expect(second).toEqual(first)
})
