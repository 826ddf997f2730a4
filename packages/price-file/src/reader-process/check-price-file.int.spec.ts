import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PriceFileError } from '../price-file-error.js'
import { makeXlsx, makeZip } from '../testing/make-files.js'
import { CHECK_CHILD, checkPriceFile } from './check-price-file.js'
import type { CheckRequest, CheckResponse } from './check-protocol.js'
import { ReaderPool } from './reader-pool.js'

const readers = new ReaderPool<CheckRequest, CheckResponse>({ script: CHECK_CHILD, maxReaders: 1 })
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'partsbus-check-'))
})
afterAll(async () => {
  await readers.close()
  rmSync(folder, { recursive: true })
})

const csv = 'brand;article;price\nKYB;33-2247;15\n'
const workbook = makeXlsx({ sheet: '<row><c><v>1</v></c></row>' })

/** @returns the problem that the check finds, or none */
async function problemOf(fileName: string, bytes: Buffer, verifyMs?: number): Promise<string> {
  const path = join(folder, 'upload')
  writeFileSync(path, bytes)
  return checkPriceFile(readers, { path, name: fileName, maxUnpacked: 100_000_000 }, verifyMs).then(
    () => 'none',
    (error: unknown) => (error instanceof PriceFileError ? error.problem : String(error)),
  )
}

function withWrongChecksum(zip: Buffer): Buffer {
  zip.writeUInt32LE(1, zip.lastIndexOf('PK\x01\x02') + 16)
  return zip
}

describe('the check of an archive finds', () => {
  it.each<[string, Buffer, string]>([
    ['a checksum that is wrong', withWrongChecksum(makeZip([['a.csv', csv]])), 'DAMAGED'],
    ['a file shorter than announced', announcing(9_000), 'DAMAGED'],
    ['a file longer than announced', announcing(10), 'DAMAGED'],
    ['a PDF named .csv', makeZip([['a.csv', `%PDF-1.7\n1 0 obj${'x'.repeat(200)}`]]), 'WRONG_KIND'],
    ['an archive named .csv', makeZip([['a.csv', makeZip([['b.csv', csv]])]]), 'WRONG_KIND'],
    ['an archive named .xlsx', makeZip([['a.xlsx', makeZip([['b.csv', csv]])]]), 'WRONG_KIND'],
    ['an archive named .xls', makeZip([['a.xls', makeZip([['b.csv', csv]])]]), 'WRONG_KIND'],
    ['a page without a table', makeZip([['a.xls', '<html><form>Sign in</form>']]), 'WEB_PAGE'],
    ['a file that is empty', makeZip([['a.csv', '']]), 'EMPTY'],
    ['a name that leads out of it', makeZip([['../../a.csv', csv]]), 'UNSAFE_NAME'],
    ['nothing in a whole list', makeZip([['a.csv', csv]]), 'none'],
    ['nothing in a table of a page', makeZip([['a.xls', '<html><table><tr><td>KYB<td>33-2247']]), 'none'],
    ['nothing in a whole workbook', makeZip([['a.xlsx', workbook]]), 'none'],
  ])('%s', async (_what, bytes, problem) => {
    expect(await problemOf('price.zip', bytes)).toBe(problem)
  })

  it('nothing in one that takes longer to unpack than it may (rules.md#late-findings)', async () => {
    const damaged = withWrongChecksum(makeZip([['a.csv', Buffer.alloc(60_000_000, '0')]]))
    expect(await problemOf('price.zip', damaged)).toBe('DAMAGED')
    expect(await problemOf('price.zip', damaged, 1)).toBe('none')
  })
})

function announcing(size: number): Buffer {
  const zip = makeZip([['a.csv', csv.repeat(100)]])
  zip.writeUInt32LE(size, zip.lastIndexOf('PK\x01\x02') + 24)
  return zip
}

describe('the check of a file', () => {
  it('finds a page without a table (rules.md#web-page)', async () => {
    expect(await problemOf('price.xls', Buffer.from('<html><form>Sign in</form>'))).toBe('WEB_PAGE')
    expect(await problemOf('price.xls', Buffer.from('<html><table><tr><td>KYB<td>33-2247'))).toBe('none')
  })

  it('leaves no folder behind once the idle process has ended', async () => {
    await readers.close()
    const before = workFolders()
    await problemOf('price.zip', makeZip([['a.xlsx', workbook]]))
    await readers.close()
    expect(workFolders().filter((name) => !before.includes(name))).toEqual([])
  })
})

const workFolders = (): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`price-file-${process.pid}-`))
