import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { ReadingRules } from '../rows/row-reader.js'
import { priceText } from '../testing/price-text.js'
import { InProcessReader } from './in-process-reader.js'
import { createReaderPool, OutOfProcessReader } from './out-of-process-reader.js'
import { openPriceListReader } from './open-price-list-reader.js'
import type { PriceListReader } from './price-list-reader.js'

const rules: ReadingRules = { format: {}, markup_percent: 10, delivery_days: 3 }
const HEADER = 'Бренд;Артикул;Наименование;Количество;Цена;Срок\n'

const readers = createReaderPool({ maxReaders: 1 })
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'partsbus-reader-'))
})
afterAll(async () => {
  await readers.close()
  rmSync(folder, { recursive: true })
})

let files = 0
function put(content: string | Buffer, name: string): { path: string; name: string; maxUnpacked: number } {
  const path = join(folder, `file-${(files += 1)}`)
  writeFileSync(path, content)
  return { path, name, maxUnpacked: 1_000_000 }
}

const errorOf = (error: unknown) => ({ failed: (error as Error).message, type: (error as Error).constructor.name })

/** Everything that a reader gives for a file, or the error. */
async function read(
  reader: PriceListReader,
  content: string | Buffer,
  name: string,
  format: ReadingRules['format'],
): Promise<object> {
  const file = put(content, name)
  const given = { ...rules, format }
  try {
    const count = await reader.count(file, given, true)
    const batches = reader.batches({ version: 9, afterRow: 3, atOnce: 7 })
    const seen: object[] = []
    for (;;) {
      const next = await batches.next()
      if (next.done) return { count, seen, counters: next.value, contained: [...(await contained(reader))] }
      const { offers, skipped, release, ...head } = next.value
      seen.push({ ...head, offers: Buffer.from(offers).toString('hex'), skipped: Buffer.from(skipped).toString('hex') })
      release()
    }
  } catch (error) {
    return errorOf(error)
  } finally {
    await reader.close()
  }
}

const contained = (reader: PriceListReader) =>
  reader.containsKeys([
    ['A', 'P1'],
    ['BRAND1', 'P1'],
    ['BRAND1', 'P11'],
  ])

async function preview(
  reader: PriceListReader,
  content: string | Buffer,
  name: string,
  format: ReadingRules['format'],
): Promise<object> {
  try {
    return await reader.preview(put(content, name), { ...rules, format })
  } catch (error) {
    return errorOf(error)
  } finally {
    await reader.close()
  }
}

describe('readers in and out of the process', () => {
  it.each<[string, string | Buffer, string?, ReadingRules['format']?]>([
    ['an ordinary list', priceText(500, 7)],
    ['a preamble, blank rows and repeated headers', `Прайс\n\n${HEADER}A;1;x;1;1;\n;;;;;\n${HEADER}A;2;x;2;2;\n`],
    ['windows-1251', Buffer.from([0xc1, 0xf0, 0xe5, 0xed, 0xe4, 0x0a]), 'p.txt'],
    ['UTF-16', Buffer.from(`\ufeff${HEADER}A;1;x;1;1;5\n`, 'utf16le')],
    ['tabs and a column by number', 'A\t1\t5\nB\t2\t6\n', 'p.txt', { columns: { brand: 1, article: 2, quantity: 3 } }],
    ['no columns', 'a;b\n1;2\n'],
    ['a header alone', HEADER],
    ['bytes that are no text', Buffer.from([0x50, 0x4b, 3, 4, 0, 0])],
    ['nothing', ''],
    ['invalid UTF-8 where UTF-8 is set', Buffer.from([0x41, 0xff, 0x0a]), 'p.csv', { encoding: 'utf-8' }],
    ['one cell of 200,000 characters', `${HEADER}A;1;${'y'.repeat(200_000)};1;1;\n`],
    ['200,000 delimiters', `${HEADER}${';'.repeat(200_000)}x\n`],
  ])('give the same for %s', async (_what, content, name = 'p.csv', format = {}) => {
    const [inside, outside] = [
      () => new InProcessReader(folder),
      () => OutOfProcessReader.open(readers, name, content.length),
    ]
    expect(await read(inside(), content, name, format)).toEqual(await read(await outside(), content, name, format))
    expect(await preview(inside(), content, name, format)).toEqual(
      await preview(await outside(), content, name, format),
    )
  })

  it('a child process reads everything but small text files', async () => {
    const opened = async (name: string, bytes: number) => {
      const reader = await openPriceListReader(name, bytes, folder, readers)
      await reader.close()
      return reader instanceof InProcessReader
    }
    expect([await opened('p.csv', 262_144), await opened('P.TXT ', 10)]).toEqual([true, true])
    expect([await opened('p.csv', 262_145), await opened('p.xls', 10), await opened('p.zip', 10)]).toEqual([
      false,
      false,
      false,
    ])
  })

  it.each<[string, string]>([
    ['digits', '1'],
    ['spaces', ' '],
    ['digits and spaces', '1 '],
    ['commas', '1,'],
    ['points', '.'],
    ['quotes', '"'],
    ['signs', '>-'],
    ['words', 'более '],
    ['combining marks', '\u0301'],
    ['equals signs', '="'],
  ])('cells of 40,000 %s block the event loop for less than half a second', async (_what, unit) => {
    const cell = unit.repeat(40_000 / unit.length)
    const row = `A${cell};B${cell};${cell};${cell};${cell};${cell}`.slice(
      0,
      255_000 / Buffer.byteLength(unit.slice(0, 1)),
    )
    const rows = [`A;1;x;1;${cell};`, `A;1;x;${cell};1;`, `A;1;x;1;1;${cell}`, row.slice(0, 60_000)]
    for (const text of rows) {
      // by processor time: a busy machine delays turns that do little
      let longest = 0
      let last = process.cpuUsage()
      const endTurn = (): void => {
        const { user, system } = process.cpuUsage(last)
        longest = Math.max(longest, (user + system) / 1_000)
        last = process.cpuUsage()
      }
      const timer = setInterval(endTurn, 1)
      await read(new InProcessReader(folder), `${HEADER}${text}\n`, 'p.csv', {})
      clearInterval(timer)
      endTurn()
      expect(longest).toBeLessThan(500)
    }
  })
})
