import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { cpuMs } from '@partsbus/test-kit/durations'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPriceFile, openPriceFile, type PriceFileOptions } from './open-price-file.js'
import type { PriceFileError } from './price-file-error.js'
import { makeXlsx, makeZip, type WorkbookParts } from './testing/make-files.js'

let folder: string
let count = 0
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'partsbus-files-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function put(bytes: Buffer | string): { path: string; own: string } {
  count += 1
  const path = join(folder, `upload-${count}`)
  const own = join(folder, `work-${count}`)
  writeFileSync(path, bytes)
  mkdirSync(own)
  return { path, own }
}

async function rowsOf(bytes: Buffer | string, fileName: string, options: PriceFileOptions = {}): Promise<string[][]> {
  const { path, own } = put(bytes)
  const { blocks } = await openPriceFile(path, fileName, own, { maxUnpacked: 10_000_000, ...options })
  const rows: string[][] = []
  for await (const block of blocks) for (const row of block.rows) rows.push(row)
  return rows
}

async function problemOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work()
    return 'none'
  } catch (error) {
    return (error as PriceFileError).problem
  }
}

const checkProblem = (bytes: Buffer | string, fileName: string): Promise<string> => {
  const { path, own } = put(bytes)
  return problemOf(() => checkPriceFile(path, fileName, own, 10_000_000))
}

/** An OLE container whose directory names one stream. */
function makeOle(stream: string): Buffer {
  const bytes = Buffer.alloc(1_536)
  Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]).copy(bytes)
  bytes.writeUInt16LE(9, 0x1e)
  bytes.writeUInt32LE(1, 0x30)
  bytes.write(stream, 1_024, 'utf16le')
  return bytes
}

const csv = 'brand;article;price\nKYB;33-2247;15\n'
const page = '<table><tr><td>brand<td>article<tr><td>KYB<td>33-2247</table>'
const csvRows = [
  ['brand', 'article', 'price'],
  ['KYB', '33-2247', '15'],
]
const cells = '<row r="1"><c r="A1" t="inlineStr"><is><t>Артикул</t></is></c><c r="B1"><v>5</v></c></row>'

describe('refuses before reading (rules.md#valid-files)', () => {
  it.each<[string, Buffer | string, string, string]>([
    ['an extension that is not listed', csv, 'price.csv.exe', 'WRONG_KIND'],
    ['no extension', csv, 'price', 'WRONG_KIND'],
    ['an empty file', '', 'price.csv', 'EMPTY'],
    ['a workbook named .csv', makeXlsx({ sheet: cells }), 'price.csv', 'WRONG_KIND'],
    ['a PDF named .xlsx', '%PDF-1.7 …', 'price.xlsx', 'WRONG_KIND'],
    ['a program named .xlsx', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(100)]), 'price.xlsx', 'WRONG_KIND'],
    ['a plain archive named .xlsx', makeZip([['a.csv', csv]]), 'price.xlsx', 'WRONG_KIND'],
    ['text named .xlsx', csv, 'price.xlsx', 'WRONG_KIND'],
    ['a page named .xlsx', `<!-- shop --><html>${page}`, 'price.xlsx', 'WEB_PAGE'],
    ['a page named .csv', '<!DOCTYPE html><p>Sign in', 'price.csv', 'WEB_PAGE'],
    ['a page without a table', '<!DOCTYPE html><p>Sign in', 'price.xls', 'WEB_PAGE'],
    ['text named .html', csv, 'price.html', 'WRONG_KIND'],
    ['a page in an archive under its own name', makeZip([['a.html', page]]), 'price.zip', 'NOT_ONE_FILE'],
    ['a RAR named .zip', Buffer.from('Rar!\x1a\x07\x01\x00', 'latin1'), 'price.zip', 'WRONG_KIND'],
    ['an archive without files', makeZip([]), 'price.zip', 'NOT_ONE_FILE'],
    ['an archive with a folder alone', makeZip([['price/', '']]), 'price.zip', 'NOT_ONE_FILE'],
    [
      'an archive with two lists',
      makeZip([
        ['a.csv', csv],
        ['b.csv', csv],
      ]),
      'price.zip',
      'NOT_ONE_FILE',
    ],
    ['an archive in an archive', makeZip([['inner.zip', makeZip([['a.csv', csv]])]]), 'price.zip', 'NOT_ONE_FILE'],
    ['an archive with a picture', makeZip([['a.png', 'x']]), 'price.zip', 'NOT_ONE_FILE'],
    ['a name that climbs out', makeZip([['../../evil.csv', csv]]), 'price.zip', 'UNSAFE_NAME'],
    ['an absolute name', makeZip([['/etc/price.csv', csv]]), 'price.zip', 'UNSAFE_NAME'],
    ['a name with a drive', makeZip([['C:\\price.csv', csv]]), 'price.zip', 'UNSAFE_NAME'],
    ['a workbook with a password', makeOle('EncryptedPackage'), 'price.xlsx', 'ENCRYPTED'],
    ['a workbook with a password under an older name', makeOle('EncryptedPackage'), 'price.xls', 'ENCRYPTED'],
    ['an old workbook named .xlsx', makeOle('Workbook'), 'price.xlsx', 'WRONG_KIND'],
    ['a bomb that its directory admits', makeZip([['a.csv', Buffer.alloc(20_000_000, '0')]]), 'price.zip', 'TOO_LARGE'],
    ['an archive that breaks off', makeZip([['a.csv', csv]]).subarray(0, 60), 'price.zip', 'DAMAGED'],
  ])('%s', async (_, bytes, fileName, problem) => {
    expect(await checkProblem(bytes, fileName)).toBe(problem)
  })

  it('a link', async () => {
    const zip = makeZip([['a.csv', '/etc/passwd']])
    const directory = zip.lastIndexOf('PK\x01\x02')
    zip.writeUInt32LE((0o120777 << 16) >>> 0, directory + 38)
    expect(await checkProblem(zip, 'price.zip')).toBe('UNSAFE_NAME')
  })

  it('sixty thousand members', async () => {
    const zip = makeZip([['a.csv', csv]])
    const end = zip.lastIndexOf('PK\x05\x06')
    zip.writeUInt16LE(60_000, end + 10)
    expect(await checkProblem(zip, 'price.zip')).toBe('TOO_LARGE')
  })

  it.each([
    ['a workbook', makeXlsx({ sheet: cells }), 'price.XLSX'],
    ['a workbook named .xls, as old systems do', makeXlsx({ sheet: cells }), 'price.xls'],
    [
      'a list with the metadata files of operating systems',
      makeZip([
        ['dir/', ''],
        ['dir/price.csv', csv],
        ['__MACOSX/._price.csv', 'x'],
        ['.DS_Store', 'x'],
        ['dir/Thumbs.db', 'x'],
      ]),
      'price.zip',
    ],
    ['a table of a page named .xls', page, 'price.xls'],
    ['a workbook in an archive', makeZip([['price.xlsx', makeXlsx({ sheet: cells })]]), 'price.zip'],
  ])('but not %s', async (_, bytes, fileName) => {
    expect(await checkProblem(bytes, fileName)).toBe('none')
  })
})

describe('archives with false metadata', () => {
  const lying = (size: number): Buffer => {
    const zip = makeZip([['a.csv', Buffer.alloc(3_000_000, '0')]])
    zip.writeUInt32LE(size, zip.lastIndexOf('PK\x01\x02') + 24)
    return zip
  }

  it.each([
    ['less than there is', 10],
    ['more than there is', 9_000_000],
  ])('about a size: %s', async (_, size) => {
    expect(await problemOf(() => rowsOf(lying(size), 'price.zip'))).toBe('DAMAGED')
  })

  it('about a checksum', async () => {
    const zip = makeZip([['a.csv', csv]])
    zip.writeUInt32LE(1, zip.lastIndexOf('PK\x01\x02') + 16)
    expect(await problemOf(() => rowsOf(zip, 'price.zip'))).toBe('DAMAGED')
  })

  it('do not include the same archive with true metadata, which is read', async () => {
    expect(await rowsOf(makeZip([['dir/прайс.csv', csv]]), 'price.zip')).toEqual(csvRows)
  })
})

const xlsx = (parts: WorkbookParts, options?: PriceFileOptions): Promise<string[][]> =>
  rowsOf(makeXlsx(parts), 'price.xlsx', options)
const mask =
  '<numFmts><numFmt numFmtId="164" formatCode="00000000"/>' +
  '<numFmt numFmtId="165" formatCode="dd\\.mm\\.yyyy"/></numFmts>' +
  '<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="4"/><xf numFmtId="22"/></cellXfs>'

describe('workbooks', () => {
  it.each<[string, WorkbookParts, string[][]]>([
    [
      'zeros that only the format shows',
      { styles: mask, sheet: '<row><c s="1"><v>1016600</v></c></row>' },
      [['01016600']],
    ],
    [
      'long numbers without an exponent',
      { sheet: '<row><c><v>1.23457E+11</v></c><c><v>123456789012345680000</v></c></row>' },
      [['123457000000', '123456789012345680000']],
    ],
    [
      'fractions as Excel shows them',
      { styles: mask, sheet: '<row><c s="3"><v>0.30000000000000004</v></c><c><v>1.0000000000000001E-2</v></c></row>' },
      [['0.3', '0.01']],
    ],
    [
      'dates of both systems',
      { styles: mask, sheet: '<row><c s="2"><v>44197</v></c><c s="4"><v>44197.5</v></c></row>' },
      [['2021-01-01', '2021-01-01T12:00:00']],
    ],
    [
      'times to a thousandth',
      {
        styles:
          '<numFmts><numFmt numFmtId="164" formatCode="yyyy-mm-dd hh:mm:ss.000"/></numFmts>' +
          '<cellXfs><xf numFmtId="164"/></cellXfs>',
        sheet: '<row><c s="0"><v>44197.5</v></c></row>',
      },
      [['2021-01-01T12:00:00']],
    ],
    [
      'dates counted from 1904',
      { styles: mask, workbookSettings: '<workbookPr date1904="1"/>', sheet: '<row><c s="2"><v>42735</v></c></row>' },
      [['2021-01-01']],
    ],
    [
      'shared, rich and phonetic texts',
      {
        strings:
          '<si><t>КYB</t></si><si><r><t>33</t></r><r><t xml:space="preserve">-2247 </t></r></si>' +
          '<si><t>漢</t><rPh sb="0" eb="1"><t>かん</t></rPh></si><si/>',
        sheet: '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c><c t="s"><v>3</v></c></row>',
      },
      [['КYB', '33-2247 ', '漢']],
    ],
    [
      'shared strings after the sheet',
      { stringsLast: true, strings: '<si><t>x</t></si>', sheet: '<row><c t="s"><v>0</v></c></row>' },
      [['x']],
    ],
    [
      'formulas by their last value',
      {
        sheet:
          '<row><c><f>E2*1.25</f><v>12.5</v></c><c t="str"><f>A1&amp;"x"</f><v>a&lt;x</v></c>' +
          '<c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c></row>',
      },
      [['12.5', 'a<x', 'TRUE', '#N/A']],
    ],
    [
      'numbers of more digits than Excel has, as they are written',
      { sheet: '<row><c><v>1234567890123456</v></c><c t="n"><v>99999999999999999999</v></c><c><v>1e16</v></c></row>' },
      [['1234567890123456', '99999999999999999999', '10000000000000000']],
    ],
    [
      'escapes of Excel, entities and CDATA',
      { sheet: '<row><c t="inlineStr"><is><t>a_x000D_&#xA;b &amp; <![CDATA[<c>]]></t></is></c></row>' },
      [['a\r\nb & <c>']],
    ],
    [
      'a namespace prefix on every element',
      { sheet: '<row><c r="C1"><v>1</v></c></row><row r="2"/>' },
      [['', '', '1'], []],
    ],
    [
      'text that looks like a formula',
      { sheet: '<row><c t="inlineStr"><is><t>=cmd|x</t></is></c></row>' },
      [['=cmd|x']],
    ],
    [
      'a declared range of the whole sheet, and merged cells',
      {
        sheet:
          '<row r="1"><c r="A1"><v>1</v></c></row></sheetData>' +
          '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells><sheetData>',
      },
      [['1']],
    ],
    [
      'a reference to a missing shared string',
      {
        strings: '<si><t>x</t></si>',
        sheet: '<row><c t="s"><v></v></c><c t="s"><v/></c><c t="s"/><c t="s"><v>9</v></c><c t="s"><v>0</v></c></row>',
      },
      [['', '', '', '', 'x']],
    ],
    [
      'cells without a reference after empty ones',
      { sheet: '<row><c/><c><v>1</v></c><c t="inlineStr"><is><t/></is></c><c><v>2</v></c></row>' },
      [['', '1', '', '2']],
    ],
    [
      'rows that are out of order',
      { sheet: '<row r="5"><c><v>1</v></c></row><row r="2"><c><v>2</v></c></row>' },
      [['1'], ['2']],
    ],
  ])('%s', async (_, parts, rows) => {
    expect(await xlsx(parts)).toEqual(rows)
  })

  it('have no NUL characters, as texts have none', async () => {
    const text = (content: string) => `<c t="inlineStr"><is><t>${content}</t></is></c>`
    const { path, own } = put(makeXlsx({ sheet: `<row>${text('A&#x0;CME')}${text('7_x0000_7')}${text('a b')}</row>` }))
    const rows: string[][] = []
    for await (const block of (await openPriceFile(path, 'p.xlsx', own)).blocks) rows.push(...block.rows)
    expect(rows).toEqual([['ACME', '77', 'a b']])
  })

  it('have the row numbers of distant rows', async () => {
    const { path, own } = put(
      makeXlsx({ sheet: '<row r="3"><c><v>1</v></c></row><row r="900000"><c><v>2</v></c></row>' }),
    )
    const firsts: number[] = []
    for await (const block of (await openPriceFile(path, 'p.xlsx', own)).blocks) firsts.push(block.first)
    expect(firsts).toEqual([3, 900_000])
  })

  it.each<[string, WorkbookParts, string]>([
    ['a document type', { sheet: '', strings: '' }, 'NO_SHEET'],
    ['no cells at all', { sheet: '' }, 'NO_SHEET'],
    ['a cell that no sheet has', { sheet: '<row><c r="ZZZZZ1"><v>1</v></c></row>' }, 'DAMAGED'],
    ['a row below the first', { sheet: '<row r="-5"><c><v>1</v></c></row>' }, 'DAMAGED'],
    ['a row beyond the last', { sheet: '<row r="1048577"><c><v>1</v></c></row>' }, 'DAMAGED'],
    ['a row that breaks off', { sheet: '<row><c><v>1</v></c></row><row><c><v>' }, 'DAMAGED'],
  ])('%s', async (_, parts, problem) => {
    expect(await problemOf(() => xlsx(parts))).toBe(problem)
  })

  it('with a document type are refused, and no entity is looked up', async () => {
    const bytes = makeXlsx({ sheet: 'MARK' }).toString('latin1')
    expect(bytes.length).toBeGreaterThan(0)
    const zip = makeZip([
      ['[Content_Types].xml', ''],
      ['_rels/.rels', '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><Relationships/>'],
    ])
    expect(await problemOf(() => rowsOf(zip, 'price.xlsx'))).toBe('DAMAGED')
  })

  it('with more rows than Excel has are refused', async () => {
    expect(
      await problemOf(() =>
        xlsx({ sheet: '<row/>'.repeat(20_001) + '<row><c><v>1</v></c></row>' }, { limits: { maxRows: 20_000 } }),
      ),
    ).toBe('TOO_MANY_ROWS')
  })

  it('with a cell beyond the limit of columns have one cell more than the limit', async () => {
    const [row] = await xlsx({ sheet: '<row><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row>' })
    expect(row).toHaveLength(257)
  })

  it('ignore cells far to the right with formatting only', async () => {
    expect(await xlsx({ sheet: '<row><c r="A1"><v>1</v></c><c r="AMK1" s="1"/><c r="XFD1" s="1"></c></row>' })).toEqual(
      [['1']],
    )
  })

  it('keep every letter of 20,000 Cyrillic rows', async () => {
    const texts = Array.from({ length: 20_000 }, (_, index) => `Колодка № ${index} ё€😀${'я'.repeat(index % 7)}`)
    const sheet = texts.map((text) => `<row><c t="inlineStr"><is><t>${text}</t></is></c></row>`).join('')
    expect((await xlsx({ sheet })).map(([cell]) => cell)).toEqual(texts)
  })
})

/** Texts that a pattern with two open ends searches again from each of its beginnings. */
const unclosed = (text: string): string => text.repeat(Math.ceil(400_000 / text.length))

describe('a workbook of 400 KB is read within a second if it contains', () => {
  const one = '<row><c><v>1</v></c></row>'
  it.each<[string, WorkbookParts]>([
    ['settings that are not closed', { sheet: one, workbookSettings: unclosed('<workbookPr ') }],
    ['sheets that are not closed', { sheet: one, workbookSettings: unclosed('<sheet ') }],
    ['number formats that are not closed', { sheet: one, styles: unclosed('<numFmt ') }],
    ['lists of cell formats that are not closed', { sheet: one, styles: unclosed('<cellXfs>') }],
    [
      'a number format of brackets',
      {
        sheet: one,
        styles: `<numFmt numFmtId="9" formatCode="${unclosed('[')}"/><cellXfs><xf numFmtId="9"/></cellXfs>`,
      },
    ],
    ['comments that are not closed', { sheet: one, styles: unclosed('<!--') }],
    ['sections that are not closed', { sheet: one, styles: unclosed('<![CDATA[') }],
    ['a text of phonetic runs that are not closed', { sheet: inline(unclosed('<rPh ')) }],
    ['a text of other elements', { sheet: inline(unclosed('<tx')) }],
    ['a text of runs that are not closed', { sheet: inline(unclosed('<t ')) }],
    ['a row of formulas without a value', { sheet: `<row>${unclosed('<c t="str"><v></v></c>')}</row>${one}` }],
  ])('%s', async (_what, parts) => {
    expect(await cpuMs(() => problemOf(() => xlsx(parts)))).toBeLessThan(1_000)
  })

  function inline(text: string): string {
    return `<row><c t="inlineStr"><is>${text}</is></c></row>${one}`
  }
})

describe('text without a byte order mark', () => {
  it.each(['utf-16le', 'utf-16be'])('in %s is recognised as text', async (encoding) => {
    const bytes = Buffer.from('Бренд;Артикул;Наименование\nЛУКОЙЛ;SK-1;Масло моторное\n'.repeat(20), 'utf16le')
    const rows = await rowsOf(encoding === 'utf-16be' ? bytes.swap16() : bytes, 'price.csv')
    expect(rows.slice(0, 2)).toEqual([
      ['Бренд', 'Артикул', 'Наименование'],
      ['ЛУКОЙЛ', 'SK-1', 'Масло моторное'],
    ])
  })
})

describe('files named .xls that are something else', () => {
  it.each([
    [
      'text',
      'brand;article\nKYB;5\n',
      [
        ['brand', 'article'],
        ['KYB', '5'],
      ],
    ],
    [
      'an HTML table',
      '<html><body><table><tr><td>brand</td><td>article</td></tr>' +
        '<tr><td>KYB</td><td>0105</td></tr></table></body></html>',
      [
        ['brand', 'article'],
        ['KYB', '0105'],
      ],
    ],
    [
      'an HTML table in windows-1251',
      Buffer.from(
        '<html><meta charset=windows-1251><table><tr><td>\xc1\xee\xf8</td><td>1-2</td></tr></table></html>',
        'latin1',
      ),
      [['Бош', '1-2']],
    ],
  ])('%s', async (_, text, rows) => {
    expect(await rowsOf(text, 'price.xls')).toEqual(rows)
  })

  // rules.md#page-files
  it.each(['price.html', 'price.HTM'])('an HTML table named %s', async (name) => {
    expect(await rowsOf('<table><tr><td>KYB<td>0105</table>', name)).toEqual([['KYB', '0105']])
  })
})
