import { beforeAll, describe, expect, it } from '@jest/globals'
import { field, file } from '@partsbus/test-kit/form'
import { makeRar } from '../testing/rar.js'
import { makeZip } from '@partsbus/test-kit/zip'
import { makeXlsx } from '../testing/xlsx.js'
import { refusal, said } from '../testing/partner.js'
import { usePartner } from '../testing/contract-product.js'

const CSV = 'Бренд;Артикул;Количество;Цена\nKYB;UF-1;3;100\n'
const NOT_VALID = refusal(400, 'Uploaded file is not valid.')
const xlsx = () =>
  makeXlsx([
    ['Бренд', 'Артикул', 'Количество', 'Цена'],
    ['KYB', 'UF-1', '3', '100'],
  ])

/** Valid files are imported, too. */
const open = usePartner()

// rules.md#valid-files
describe('valid files', () => {
  let list: number
  let storage: number
  beforeAll(async () => {
    ;({ id: list, storage } = await open().newList())
  })
  const upload = async (bytes: string | Buffer, name: string) =>
    said(await open().upload([field('id', list), file(bytes, name)]))

  it.each<[string, () => string | Buffer]>([
    ['p.csv', () => CSV],
    ['P.CSV', () => CSV],
    ['p.txt', () => CSV.replaceAll(';', '\t')],
    ['p.xlsx', xlsx],
    ['p.xls', xlsx],
    ['p.csv', () => `\ufeff${CSV}`],
    ['p.txt', () => Buffer.from(`\ufeff${CSV}`, 'utf16le')],
    [
      'p.csv',
      () =>
        Buffer.from(
          [...CSV].map((letter) => (letter > '\u0400' ? letter.charCodeAt(0) - 0x350 : letter.charCodeAt(0))),
        ),
    ],
    ['p.zip', () => makeZip([['a.csv', CSV]])],
    ['p.zip', () => makeZip([['a.xlsx', xlsx()]])],
    ['p.rar', () => makeRar([['a.csv', CSV]])],
    [
      'p.zip',
      () =>
        makeZip([
          ['folder/', ''],
          ['folder/Прайс.TXT', CSV],
          ['__MACOSX/folder/._Прайс.TXT', 'x'],
          ['.DS_Store', 'x'],
          ['folder/Thumbs.db', 'x'],
        ]),
    ],
    [
      'p.rar',
      () =>
        makeRar([
          ['folder', null],
          ['folder/a.csv', CSV],
          ['.DS_Store', 'x'],
        ]),
    ],
  ])('%s is imported', async (name, bytes) => {
    expect(await open().bringIn(list, bytes(), name)).toMatchObject({
      status: 'completed',
      imported_rows: 1,
      skipped_rows: 0,
      total_rows: 1,
    })
    await open().ask(storage)
    expect((await open().post('/get-parts', { article: 'uf1', brands: ['KYB'] })).body.parts).toMatchObject([
      { brand: 'KYB', quantity: 3, price: 100 },
    ])
  })

  it.each([
    'p.exe',
    'p',
    'p.',
    'csv',
    'p.csv.exe',
    'p.csv.',
    'p.pdf',
    'p.json',
    'p.tsv',
    'p.html',
    'p.7z',
    'p.gz',
    'p.xlsm',
    'p.xml',
    'p.csv/x',
  ])('400: the name %s has no listed extension', async (name) => {
    expect(await upload(CSV, name)).toEqual(NOT_VALID)
  })
  it.each<[string, string, () => Buffer]>([
    ['an empty file', 'p.csv', () => Buffer.alloc(0)],
    ['a PNG', 'p.csv', () => Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]), Buffer.alloc(200)])],
    ['a PDF', 'p.txt', () => Buffer.from('%PDF-1.7\n1 0 obj')],
    ['a program', 'p.csv', () => Buffer.concat([Buffer.from([0x7f, 0x45, 0x4c, 0x46]), Buffer.alloc(100, 1)])],
    ['bytes of all kinds', 'p.csv', () => Buffer.from(Array.from({ length: 2_048 }, (_, at) => (at * 7) % 256))],
    ['a ZIP', 'p.csv', () => makeZip([['a.csv', CSV]])],
    ['a workbook', 'p.csv', xlsx],
    ['a ZIP', 'p.rar', () => makeZip([['a.csv', CSV]])],
    ['a RAR', 'p.zip', () => makeRar([['a.csv', CSV]])],
    ['text', 'p.zip', () => Buffer.from(CSV)],
    ['text', 'p.rar', () => Buffer.from(CSV)],
    ['text', 'p.xlsx', () => Buffer.from(CSV)],
    ['another ZIP', 'p.xlsx', () => makeZip([['a.csv', CSV]])],
    ['a page', 'p.csv', () => Buffer.from('<!DOCTYPE html><html><body>x</body></html>')],
  ])('400: %s named %s', async (_what, name, bytes) => {
    expect(await upload(bytes(), name)).toEqual(NOT_VALID)
  })
  it.each<[string, string, () => Buffer]>([
    [
      'two files',
      'p.zip',
      () =>
        makeZip([
          ['a.csv', CSV],
          ['b.csv', CSV],
        ]),
    ],
    [
      'a file and a note',
      'p.zip',
      () =>
        makeZip([
          ['a.csv', CSV],
          ['readme.md', 'x'],
        ]),
    ],
    ['no file', 'p.zip', () => makeZip([['folder/', '']])],
    ['nothing', 'p.zip', () => makeZip([])],
    [
      'junk alone',
      'p.zip',
      () =>
        makeZip([
          ['__MACOSX/._a.csv', 'x'],
          ['.DS_Store', 'x'],
        ]),
    ],
    ['a file of another type', 'p.zip', () => makeZip([['a.exe', CSV]])],
    ['a ZIP', 'p.zip', () => makeZip([['a.zip', makeZip([['a.csv', CSV]])]])],
    ['a way out', 'p.zip', () => makeZip([['../../a.csv', CSV]])],
    ['an absolute name', 'p.zip', () => makeZip([['/a.csv', CSV]])],
    ['half of itself', 'p.zip', () => makeZip([['a.csv', CSV]]).subarray(0, -40)],
    ['noise behind its first bytes', 'p.zip', () => Buffer.from('PK\x03\x04 and then nothing that is one')],
    [
      'two files',
      'p.rar',
      () =>
        makeRar([
          ['a.csv', CSV],
          ['b.csv', CSV],
        ]),
    ],
    ['no file', 'p.rar', () => makeRar([['folder', null]])],
    ['a RAR', 'p.rar', () => makeRar([['a.rar', 'x']])],
    ['a file of another type', 'p.rar', () => makeRar([['a.exe', CSV]])],
    ['half of itself', 'p.rar', () => makeRar([['a.csv', CSV]]).subarray(0, 40)],
    ['a password', 'p.zip', () => withFlag(makeZip([['a.csv', CSV]]))],
  ])('400: an archive with %s (%s)', async (_what, name, bytes) => {
    expect(await upload(bytes(), name)).toEqual(NOT_VALID)
  })
  it('400: an archive that unpacks to more than 20 times the limit; a smaller one is accepted', async () => {
    await open().shop.set({ 'price-lists.import.max_file_size': 10_000 })
    try {
      const sized = (bytes: number) => makeZip([['a.csv', CSV + '\n'.repeat(bytes - Buffer.byteLength(CSV))]])
      expect(await upload(sized(200_001), 'p.zip')).toEqual(NOT_VALID)
      expect((await open().bringIn(list, sized(200_000), 'p.zip')).status).toBe('completed')
    } finally {
      await open().shop.set({ 'price-lists.import.max_file_size': 52_428_800 })
    }
  })
})

/** The same ZIP with the encryption flag of its only member set in the local header and in the directory. */
function withFlag(zip: Buffer): Buffer {
  const bytes = Buffer.from(zip)
  bytes.writeUInt16LE(bytes.readUInt16LE(6) | 1, 6)
  const directory = bytes.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]))
  bytes.writeUInt16LE(bytes.readUInt16LE(directory + 8) | 1, directory + 8)
  return bytes
}
