import { crc32, deflateRawSync } from 'node:zlib'
import { type ClaimedMember, claimZip, member, packedTimes } from '@partsbus/test-kit/zip'
import type { Part } from '../testing/partner.js'
import { claimRar } from './hostile-archives.js'
import { makeWorkbook, repeatedPart, textRow, type Workbook } from './hostile-workbooks.js'

/** The expected result of an upload. */
export type Outcome =
  /** 400 `Uploaded file is not valid.` */
  | 'refused'
  /** the task fails with a message */
  | { fails: RegExp }
  /** numbers of imported and skipped rows, skip codes, and the offers of an article */
  | {
      imports: number
      skips?: number
      codes?: string[]
      offers?: Record<string, Partial<Part>>
      /** every live offer of the list, in the order of its rows */
      all?: () => Partial<Part>[]
    }

/** A numbered input of docs/spec/bad-inputs.md, with the expected result. */
export interface BadUpload {
  input: number
  what: string
  name: string
  content: () => string | Buffer
  outcome: Outcome
  /** resident memory in MiB of the process that reads it */
  memory?: number
}

const MIB = 1024 * 1024
const HEAD = 'Бренд;Артикул;Название;Количество;Цена\n'
const ONE = 'KYB;BAD-1;Strut;3;1 234,50 руб\n'
const CSV = HEAD + ONE
const READ: Outcome = { imports: 1, skips: 0, offers: { 'BAD-1': { brand: 'KYB', quantity: 3, price: 1234.5 } } }
const nothing = member('', '')
const headRow = textRow('Бренд', 'Артикул', 'Название', 'Количество', 'Цена')
const oneRow = textRow('KYB', 'BAD-1', 'Strut', '3', '1 234,50 руб')
const book = (more: Partial<Workbook> = {}) => makeWorkbook({ rows: headRow + oneRow, ...more })
const zeros = Buffer.alloc(MIB, '0')
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

const names: BadUpload[] = [
  ...['../../x.csv', 'a\u0000.csv', `${'x'.repeat(5_000)}.csv`, 'PRICE.CSV', '..\\..\\windows\\x.csv'].map(
    (name): BadUpload => ({
      input: 37,
      what: `the name ${JSON.stringify(name.slice(0, 30))}`,
      name,
      content: () => CSV,
      outcome: READ,
    }),
  ),
  ...['x.csv.exe', 'x', '.csv/x', 'x.csv\u0000.exe'].map((name): BadUpload => ({
    input: 37,
    what: `the name ${JSON.stringify(name)}`,
    name,
    content: () => CSV,
    outcome: 'refused',
  })),
  { input: 37, what: 'an empty file', name: 'x.csv', content: () => '', outcome: 'refused' },
]

const kinds: BadUpload[] = (
  [
    ['a PDF', 'x.xlsx', () => '%PDF-1.7\n1 0 obj'],
    ['a program', 'x.xlsx', () => Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)])],
    ['a plain ZIP', 'x.xlsx', () => claimZip([member('a.csv', CSV)])],
    ['a workbook', 'x.csv', () => book()],
    ['a RAR', 'x.zip', () => claimRar([{ name: 'a.csv', content: Buffer.from(CSV), claimed: CSV.length }])],
    ['a ZIP', 'x.rar', () => claimZip([member('a.csv', CSV)])],
  ] as const
).map(([what, name, content]) => ({ input: 38, what: `${what} named ${name}`, name, content, outcome: 'refused' }))

const zips: BadUpload[] = (
  [
    [39, 'of nothing', () => claimZip([]), 'refused'],
    [39, 'of two files', () => claimZip([member('a.csv', CSV), member('b.csv', CSV)]), 'refused'],
    [39, 'of a folder', () => claimZip([member('a/', '')]), 'refused'],
    [39, 'of a link', () => claimZip([{ ...member('a.csv', '/etc/passwd'), mode: 0o120777 }]), 'refused'],
    ...['../../evil.csv', '/etc/price.csv', 'C:\\price.csv', 'a/../../b.csv'].map(
      (name) => [39, `of ${name}`, () => claimZip([member(name, CSV)]), 'refused'] as const,
    ),
    [40, 'in a ZIP', () => claimZip([member('a.zip', claimZip([member('a.csv', CSV)]))]), 'refused'],
    [40, 'of a workbook', () => claimZip([member('a.xlsx', book())]), READ],
    [
      41,
      'of 300 MB of zeros, honest',
      () => claimZip([zeroMember(300, 300 * MIB)]),
      { fails: /longer than 1000000 characters/ },
    ],
    [41, 'of 4 GB, honest', () => claimZip([zeroMember(4_095, 4_095 * MIB)]), 'refused'],
    [41, 'of 1,100 MB, honest: beyond 20 times the limit', () => claimZip([zeroMember(1_100, 1_100 * MIB)]), 'refused'],
    [41, 'whose files overlap', () => overlapping(), 'refused'],
    [42, 'that declares 10 bytes and holds 300 MB', () => claimZip([zeroMember(300, 10)]), 'refused'],
    [
      42,
      'that declares 4 GB and holds 13 bytes',
      () => claimZip([{ ...member('a.csv', 'a;b\n1;2\n3;4\n'), size: 4_294_967_000 }]),
      'refused',
    ],
    [
      42,
      'that declares 900 MB and holds 13 bytes',
      () => claimZip([{ ...member('a.csv', 'a;b\n1;2\n3;4\n'), size: 900 * MIB }]),
      'refused',
    ],
    [42, 'that declares 60,000 files', () => claimZip([member('a.csv', CSV)], 60_000), 'refused'],
    [42, 'of 60,000 files', () => claimZip(times(60_000, (index) => ({ ...nothing, name: `${index}` }))), 'refused'],
    [42, 'with a wrong checksum', () => claimZip([{ ...member('a.csv', CSV), checksum: 1 }]), 'refused'],
    [42, 'of a PDF named .csv', () => claimZip([member('a.csv', `%PDF-1.7\n${'x'.repeat(200)}`)]), 'refused'],
    [42, 'that breaks off', () => claimZip([member('a.csv', CSV)]).subarray(0, -30), 'refused'],
    [43, 'with a password', () => withPassword(claimZip([member('a.csv', CSV)])), 'refused'],
  ] as const
).map(([input, what, content, outcome]) => ({ input, what: `a ZIP ${what}`, name: 'x.zip', content, outcome }))

const csv = Buffer.from(CSV)
const rars: BadUpload[] = (
  [
    ['that is well', () => claimRar([{ name: 'dir/a.csv', content: csv, claimed: csv.length }]), READ],
    [
      'of two files',
      () => claimRar(['a.csv', 'b.csv'].map((name) => ({ name, content: csv, claimed: csv.length }))),
      'refused',
    ],
    ['of unknown size', () => claimRar([{ name: 'a.csv', content: csv, claimed: undefined }]), 'refused'],
    ['of 4 TB, as it says', () => claimRar([{ name: 'a.csv', content: csv, claimed: 2 ** 42 }]), 'refused'],
    [
      'with a dictionary of 4 GB',
      () => claimRar([{ name: 'a.csv', content: csv, claimed: csv.length, dictionary: 15 }]),
      'refused',
    ],
    ['of ../a.csv', () => claimRar([{ name: '../../a.csv', content: csv, claimed: csv.length }]), 'refused'],
    [
      'that breaks off',
      () => claimRar([{ name: 'a.csv', content: csv, claimed: csv.length }]).subarray(0, 60),
      'refused',
    ],
  ] as const
).map(([what, content, outcome]) => ({ input: 43, what: `a RAR ${what}`, name: 'x.rar', content, outcome }))

const secret = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
const entity = (at: number): string => `<!ENTITY ${'bcdefghij'[at]} "${`&${'abcdefghi'[at]};`.repeat(10)}">`
const laughs = `<!DOCTYPE x [<!ENTITY a "${'ha'.repeat(50)}">${times(9, entity).join('')}]>`
const styles =
  '<numFmts><numFmt numFmtId="164" formatCode="00000000"/></numFmts>' +
  '<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="14"/></cellXfs>'
const workbooks: BadUpload[] = (
  [
    [44, 'that declares the whole sheet and has a row', book({ before: '<dimension ref="A1:XFD1048576"/>' }), READ],
    [
      45,
      'with the whole sheet merged',
      book({ behind: '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>' }),
      READ,
    ],
    [
      46,
      'with 3,000,000 shared strings',
      () => book({ strings: repeatedPart('xl/sharedStrings.xml', '<sst>', '<si><t>x</t></si>', 3_000_000, '</sst>') }),
      { fails: /more than 2500000 different texts/ },
    ],
    [
      46,
      'with 2,000,000 rows',
      () =>
        book({
          rows: repeatedPart(
            'xl/worksheets/sheet1.xml',
            `<worksheet><sheetData>${headRow}`,
            '<row><c><v>1</v></c></row>',
            2_000_000,
            '</sheetData></worksheet>',
          ),
        }),
      { fails: /more than 1048576 rows/ },
    ],
    [
      46,
      'with a cell ZZZZZ1',
      book({ rows: headRow + oneRow + '<row><c r="A3"><v>1</v></c><c r="ZZZZZ3"><v>2</v></c></row>' }),
      { fails: /beyond column XFD/ },
    ],
    [
      46,
      'with a row -5',
      book({ rows: `${headRow}${oneRow.replace('<row>', '<row r="-5">')}` }),
      { fails: /not between 1 and 1048576/ },
    ],
    [47, 'with a billion laughs', book({ prolog: laughs }), { fails: /document type/ }],
    [47, 'with an external entity', book({ prolog: secret }), { fails: /^(?!.*root:).*document type/ }],
    [
      48,
      'with rich texts behind the sheet, formulas, dates from 1904 and a hidden first sheet',
      book({
        settings: '<workbookPr date1904="1"/>',
        styles,
        hidden: textRow('Бренд', 'HIDDEN'),
        strings:
          '<si><r><t>K</t></r><r><rPr><b/></rPr><t>YB</t></r></si>' +
          '<si><t>BAD-&lt;1&gt;</t><rPh sb="0" eb="1"><t>no</t></rPh></si>',
        rows:
          `${headRow}<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c s="2"><v>42735</v></c>` +
          '<c><f>1+2</f><v>3</v></c><c><f>A1*2</f><v>1234.5</v></c></row>' +
          '<row><c t="s"><v>0</v></c><c s="1"><v>1016600</v></c><c/>' +
          '<c t="str"><f>"a"</f><v>&gt;10</v></c><c><v>1.23457E+3</v></c></row>',
      }),
      {
        imports: 2,
        skips: 0,
        offers: {
          'BAD-1': { brand: 'KYB', article: 'BAD-<1>', name: '2021-01-01', quantity: 3, price: 1234.5 },
          '01016600': { quantity: 10, price: 1234.57 },
        },
      },
    ],
    [
      49,
      'with 60,000 Cyrillic rows',
      () => book({ rows: headRow + times(60_000, cyrillicRow).join('') }),
      {
        imports: 60_000,
        skips: 0,
        all: () => times(60_000, cyrillic),
      },
    ],
  ] as Array<[number, string, Buffer | (() => Buffer), Outcome]>
).map(([input, what, content, outcome]) => ({
  input,
  what: `an XLSX ${what}`,
  name: 'x.xlsx',
  content: () => (typeof content === 'function' ? content() : content),
  outcome,
}))

const olds: BadUpload[] = times(4, (seed) => ({
  input: 50,
  what: `an XLS of noise, ${seed}`,
  name: 'x.xls',
  content: () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), noise(60_000, seed + 1)]),
  outcome: { fails: /^The workbook is damaged\.$/ },
}))

function cyrillic(at: number): Partial<Part> & { article: string } {
  return {
    brand: 'ЛУКОЙЛ',
    article: `Ж-${at}-Ё`,
    name: `Колодка № ${at} ё€ ${'щ'.repeat(at % 7)}`.trim(),
    quantity: (at % 90) + 1,
    price: at + 0.5,
  }
}

function cyrillicRow(at: number): string {
  const { brand, article, name, quantity, price } = cyrillic(at)
  return textRow(brand ?? '', article, name ?? '', String(quantity), `${price}`)
}

/** Compressed zeros of this many MiB. The checksum is valid only for sizes that are really unpacked. */
function zeroMember(mib: number, size: number): ClaimedMember {
  let checksum = 0
  for (let count = 0; count < mib && size < 400 * MIB; count++) checksum = crc32(zeros, checksum)
  return { name: 'a.csv', packed: packedTimes(zeros, mib), size, checksum }
}

/** Two members of the directory with the same offset. */
function overlapping(): Buffer {
  const packed = deflateRawSync(csv)
  const zip = claimZip(['a.csv', 'b.csv'].map((name) => ({ name, packed, size: csv.length, checksum: crc32(csv) })))
  zip.writeUInt32LE(0, zip.lastIndexOf('PK\x01\x02') + 42)
  return zip
}

function withPassword(zip: Buffer): Buffer {
  const directory = zip.lastIndexOf('PK\x01\x02')
  for (const at of [6, directory + 8]) zip.writeUInt16LE(zip.readUInt16LE(at) | 1, at)
  return zip
}

/** Reproducible pseudo-random bytes (xorshift). */
export function noise(length: number, seed: number): Buffer {
  const bytes = Buffer.alloc(length)
  let state = seed * 2_654_435_761
  for (let at = 0; at < length; at++) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    bytes[at] = state & 0xff
  }
  return bytes
}

/** Names, kinds, archives, workbooks. */
export const badFiles: BadUpload[] = [...names, ...kinds, ...zips, ...rars, ...workbooks, ...olds]
