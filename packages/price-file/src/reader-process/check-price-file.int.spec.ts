import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unpackRows } from '../packed-rows.js'
import type { PriceFileError } from '../price-file-error.js'
import { makeXlsx, makeZip } from '../testing/make-files.js'
import type { ReaderLimits } from './reader-process.js'
import { checkPriceFile, openCaged } from './check-price-file.js'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'partsbus-cage-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function put(name: string, bytes: Buffer | string): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

const cage = (limits: Partial<ReaderLimits> = {}): ReaderLimits => ({ maxMemoryMb: 400, maxMs: 60_000, ...limits })

async function count(name: string, bytes: Buffer | string, limits = cage()): Promise<number> {
  const opened = await openCaged(put(name, bytes), name, { maxUnpacked: 400_000_000 }, limits)
  let rows = 0
  for await (const block of opened.blocks) rows += block.rows.length
  return rows
}

async function failureOf(work: Promise<unknown>): Promise<Pick<PriceFileError, 'problem' | 'message'>> {
  return work.then(
    () => {
      throw new Error('It did not fail')
    },
    (error: PriceFileError) => error,
  )
}

const workFolders = (): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`price-file-${process.pid}-`))

describe('reading in a child process', () => {
  it('gives the same rows, and tells how they were read', async () => {
    const opened = await openCaged(put('a.csv', 'Бренд;Артикул\nKYB;5\n'), 'a.csv')
    expect(opened).toMatchObject({ encoding: 'utf-8', delimiter: ';', sheet: null })
    const rows: string[][] = []
    for await (const block of opened.blocks) rows.push(...block.rows)
    expect(rows).toEqual([
      ['Бренд', 'Артикул'],
      ['KYB', '5'],
    ])
  })

  it('gives them packed, of a workbook too', async () => {
    const opened = await openCaged(
      put('p.xlsx', makeXlsx({ sheet: '<row r="2"><c r="B2"><v>5</v></c></row><row r="3"/>' })),
      'p.xlsx',
    )
    const seen = new Map<number, string[]>()
    for await (const packed of opened.packed) {
      const { first, rows } = unpackRows(packed)
      for (const [index, row] of rows.entries()) seen.set(first + index, row)
    }
    expect([...seen]).toEqual([
      [2, ['', '5']],
      [3, []],
    ])
  })

  it('passes on what is wrong with a file, with the row', async () => {
    expect(await failureOf(count('b.xlsx', 'text'))).toMatchObject({ problem: 'WRONG_KIND' })
    expect(await failureOf(count('c.csv', `a;b\n${'x'.repeat(2_000_000)}\n`))).toMatchObject({
      problem: 'ROW_TOO_LONG',
      row: 2,
    })
    expect(await failureOf(checkPriceFile(put('d.zip', makeZip([])), 'd.zip', 1_000_000))).toMatchObject({
      problem: 'NOT_ONE_FILE',
    })
  })

  it('ends what needs too much memory, and the service lives', async () => {
    const strings = Array.from({ length: 400_000 }, (_, index) => `<si><t>${index}-${'x'.repeat(200)}</t></si>`).join(
      '',
    )
    const bomb = makeXlsx({ sheet: '<row><c t="s"><v>1</v></c></row>', strings })
    expect(await failureOf(count('e.xlsx', bomb, cage({ maxMemoryMb: 120 })))).toMatchObject({ problem: 'CAGE' })
  })

  it('ends what takes too long', async () => {
    const list = 'a;b;c\n'.repeat(3_000_000)
    const failure = await failureOf(count('f.csv', list, cage({ maxMs: 300 })))
    expect(failure).toMatchObject({ problem: 'CAGE', message: 'The file took longer than 0.3 seconds to read.' })
  })

  it('stops at the cap of a bomb whose directory lies', async () => {
    const zip = makeZip([['a.csv', Buffer.alloc(50_000_000, '0')]])
    zip.writeUInt32LE(1_000, zip.lastIndexOf('PK\x01\x02') + 24)
    expect(await failureOf(count('g.zip', zip))).toMatchObject({ problem: 'DAMAGED' })
  })

  it('leaves no process and no folder behind, also when it is closed half way', async () => {
    const before = workFolders()
    const opened = await openCaged(put('h.csv', 'a;b\n'.repeat(500_000)), 'h.csv')
    await opened.blocks.next()
    await opened.close()
    expect(await failureOf(opened.blocks.next().then(() => opened.blocks.next()))).toMatchObject({ problem: 'CAGE' })
    expect(workFolders().filter((name) => !before.includes(name))).toEqual([])
  })
})
