import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { checkPriceFile } from '@partsbus/price-file/reader-process/check-price-file'
import { makeZip } from '@partsbus/test-kit/zip'
import type { LocalFile } from '../files/local-file.js'
import type { ReadingRules } from '../rows/row-reader.js'
import { makeXlsx } from '../testing/make-xlsx.js'
import { priceText } from '../testing/price-text.js'
import { createReaderPool, OutOfProcessReader, type PriceListReaders } from './out-of-process-reader.js'

const HEADER = 'brand;article;name;quantity;price\n'
const OFFER = `${HEADER}KYB;33-2247;Стойка;4;1 234,50\n`
/** `Бренд;Артикул;Цена` and a row in windows-1251. */
const CYRILLIC = Buffer.concat([
  Buffer.from([0xc1, 0xf0, 0xe5, 0xed, 0xe4, 0x3b, 0xc0, 0xf0, 0xf2, 0xe8, 0xea, 0xf3, 0xeb, 0x3b]),
  Buffer.from([0xd6, 0xe5, 0xed, 0xe0, 0x3b, 0xca, 0xee, 0xeb, 0x2d, 0xe2, 0xee, 0x0a]),
  Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xee, 0xe4, 0x3b, 0x37, 0x3b, 0x38, 0x3b, 0x39, 0x0a]),
])

const row = (...cells: string[]) =>
  `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`
const heading = row('brand', 'article', 'quantity', 'price')
const sheet = `${heading}${row('KYB', '332247', '3', '15.5')}${row('KYB', '332247', '4', '16')}`
const numbers = '<row><c t="s"><v>0</v></c><c s="1"><v>2247</v></c><c><v>3</v></c><c s="2"><v>45000.5</v></c></row>'
const styles = (code: string) =>
  `<numFmts count="1"><numFmt numFmtId="164" formatCode="${code}"/></numFmts>` +
  '<cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="22"/></cellXfs>'
const styled = (code: string, brand: string) =>
  makeXlsx(`${heading}${numbers}`, { strings: `<si><t>${brand}</t></si>`, styles: styles(code) })

function damaged(zip: Buffer): Buffer {
  zip.writeUInt32LE(1, zip.lastIndexOf('PK\x01\x02') + 16)
  return zip
}

interface PriceFile {
  name: string
  content: string | Buffer
  format?: ReadingRules['format']
}

/** Files that leave their process as it is wanted for the next one. */
const good: PriceFile[] = [
  { name: 'a.xlsx', content: makeXlsx(sheet) },
  { name: 'b.xlsx', content: styled('00000000', 'KYB') },
  { name: 'c.xlsx', content: styled('0.00', 'Sachs &amp; &#1057;') },
  {
    name: 'd.xlsx',
    content: makeXlsx(`${heading}${numbers}`, { strings: '<si><t>KYB</t></si>', styles: styles('yyyy') }),
    format: { duplicates: 'cheapest' },
  },
  { name: 'e.zip', content: makeZip([['e.csv', OFFER]]) },
  { name: 'f.zip', content: makeZip([['f.txt', CYRILLIC]]) },
  { name: 'g.zip', content: makeZip([['g.xlsx', makeXlsx(sheet)]]) },
  { name: 'h.csv', content: priceText(300, 7) },
]

const XML_WORKBOOK =
  '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet/></Workbook>'

/** Files that are refused, that are hostile, or that a library parses. */
const bad: PriceFile[] = [
  { name: 'cut.xlsx', content: makeXlsx(sheet).subarray(0, 500) },
  { name: 'string.xlsx', content: makeXlsx(`${heading}${numbers}`, { strings: '<si><t>&#x110000;' }) },
  { name: 'names.xlsx', content: makeXlsx(row('__proto__', 'constructor', 'toString', 'price')) },
  { name: 'format.xlsx', content: styled('[h]:mm;__proto__;&quot;', '__proto__') },
  { name: 'sum.zip', content: damaged(makeZip([['a.csv', OFFER]])) },
  { name: 'bomb.zip', content: makeZip([['a.csv', Buffer.alloc(3_000_000, '0')]]) },
  { name: 'bomb.xlsx', content: makeXlsx(`${heading}${' '.repeat(3_000_000)}`) },
  { name: 'columns.zip', content: makeZip([['a.csv', 'a;b\n1;2\n']]) },
  { name: 'page.xls', content: '<html><meta charset=koi8-r><table><tr><td>brand<td>article' },
  { name: 'old.zip', content: makeZip([['a.xls', XML_WORKBOOK]]) },
]

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'partsbus-reused-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A pool that counts the processes that it starts. */
function countingPool(): { readers: PriceListReaders; started(): number } {
  const readers = createReaderPool({ maxReaders: 1 })
  const start = readers.start.bind(readers)
  let started = 0
  readers.start = () => {
    started += 1
    return start()
  }
  return { readers, started: () => started }
}

/** All that the service ever asks about a file: whether it is valid, its preview, and its rows. */
async function readAll(readers: PriceListReaders, { name, content, format = {} }: PriceFile): Promise<unknown[]> {
  const path = join(folder, name)
  writeFileSync(path, content)
  const file = { path, name, maxUnpacked: 2_000_000 }
  const rules: ReadingRules = { format, markup_percent: 10, delivery_days: 3 }
  const open = () => OutOfProcessReader.open(readers, name, content.length)
  return [
    // a busy machine must not end the check early, which counts as valid
    await outcome(() => checkPriceFile(readers, file, 60_000)),
    await outcome(async () => {
      const reader = await open()
      return reader.preview(file, rules).finally(() => reader.close())
    }),
    await outcome(async () => {
      const reader = await open()
      return importRows(reader, file, rules).finally(() => reader.close())
    }),
  ]
}

async function importRows(reader: OutOfProcessReader, file: LocalFile, rules: ReadingRules): Promise<object> {
  const count = await reader.count(file, rules, true)
  const batches = reader.batches({ version: 9, afterRow: 0, atOnce: 4_000 })
  const seen: object[] = []
  for (;;) {
    const next = await batches.next()
    if (next.done) return { count, seen, counters: next.value, keys: await reader.containsKeys([['KYB', '332247']]) }
    const { offers, skipped, release, ...head } = next.value
    seen.push({ ...head, offers: Buffer.from(offers).toString('hex'), skipped: Buffer.from(skipped).toString('hex') })
    release()
  }
}

/** The result, or the error. */
function outcome(work: () => Promise<unknown>): Promise<unknown> {
  return work().catch((error: unknown) => error)
}

describe('a reader process that is reused', () => {
  it('reads each file as a fresh process does, whatever it read before', async () => {
    const fresh = new Map<PriceFile, unknown[]>()
    for (const file of [...good, ...bad]) {
      const readers = createReaderPool({ maxReaders: 1 })
      fresh.set(file, await readAll(readers, file))
      await readers.close()
    }
    const { readers, started } = countingPool()
    let refused = 0
    for (const [turn, hostile] of bad.entries()) {
      const outcomes = await readAll(readers, hostile)
      expect([hostile.name, outcomes]).toEqual([hostile.name, fresh.get(hostile)])
      const before = started()
      // two different ones, so that each follows each other one at some time
      for (const file of [good[turn % good.length], good[(turn + 3) % good.length]])
        if (file) expect([file.name, await readAll(readers, file)]).toEqual([file.name, fresh.get(file)])
      if (outcomes.at(-1) instanceof Error) {
        refused += 1
        expect([hostile.name, started() > before]).toEqual([hostile.name, true])
      }
    }
    await readers.close()
    expect(refused).toBeGreaterThan(bad.length / 2)
    // starts some seventy processes
  }, 400_000)

  it('reads good files one after another with one process', async () => {
    const { readers, started } = countingPool()
    const files = [...good, ...good.toReversed()]
    for (const file of files)
      expect((await readAll(readers, file)).filter((result) => result instanceof Error)).toEqual([])
    await readers.close()
    // each file is opened two or three times; a process is replaced when its memory grows too large
    expect(started()).toBeLessThan(files.length)
  })
})
