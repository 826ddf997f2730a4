import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PriceFileError } from './price-file-error.js'
import { readText, type TextForm, type TextOptions } from './read-text.js'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'partsbus-text-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

async function read(
  bytes: Buffer | string,
  options: TextOptions = {},
): Promise<TextForm & { rows: string[][]; firsts: number[] }> {
  const path = join(folder, 'list.csv')
  writeFileSync(path, bytes)
  const { encoding, delimiter, blocks } = await readText(path, options)
  const rows: string[][] = []
  const firsts: number[] = []
  for await (const block of blocks) {
    firsts.push(block.first)
    expect(block.first).toBe(rows.length + 1)
    for (const row of block.rows) rows.push(row)
  }
  return { encoding, delimiter, rows, firsts }
}

const rowsOf = async (text: string | Buffer, options?: TextOptions): Promise<string[][]> =>
  (await read(text, options)).rows

async function problemOf(bytes: Buffer | string, options?: TextOptions): Promise<string> {
  try {
    await read(bytes, options)
  } catch (error) {
    return (error as PriceFileError).problem
  }
  return 'none'
}

const encoders: Record<string, (text: string) => Buffer> = {
  'utf-8': (text) => Buffer.from(text),
  'utf-8 with a mark': (text) => Buffer.from(`\ufeff${text}`),
  'utf-16le with a mark': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'utf-16be with a mark': (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  'windows-1251': (text) => singleBytes(text, 'windows-1251'),
}

/** A text in a code page, found by trying every byte. */
function singleBytes(text: string, page: string): Buffer {
  const table = new Map(
    Array.from({ length: 256 }, (_, byte) => [new TextDecoder(page).decode(Uint8Array.of(byte)), byte]),
  )
  return Buffer.from([...text].map((char) => table.get(char) ?? 0x3f))
}

describe('encodings', () => {
  const text = 'Бренд;Артикул;Цена\r\nЛУКОЙЛ;SK-1;1 234,50 руб\r\nАвтоВАЗ;2101-Ё;15\r\n'
  const rows = [
    ['Бренд', 'Артикул', 'Цена'],
    ['ЛУКОЙЛ', 'SK-1', '1 234,50 руб'],
    ['АвтоВАЗ', '2101-Ё', '15'],
  ]

  it.each(Object.keys(encoders))('detects %s', async (name) => {
    const found = await read(encoders[name]?.(text) ?? '')
    expect(found).toMatchObject({ rows, delimiter: ';', encoding: name.replace(' with a mark', '') })
  })

  it('detects UTF-16 without a mark by its zero bytes', async () => {
    expect(await read(Buffer.from(text, 'utf16le'))).toMatchObject({ rows, encoding: 'utf-16le' })
  })

  it.each(['ibm866', 'koi8-r'] as const)('detects %s, and reads it when it is configured', async (page) => {
    expect(await read(singleBytes(text, page))).toMatchObject({ rows, encoding: page })
    expect((await read(singleBytes(text, page), { encoding: page })).rows).toEqual(rows)
  })

  it('a byte order mark has priority over the setting of the list', async () => {
    expect(await read(Buffer.from(`\ufeff${text}`), { encoding: 'windows-1251' })).toMatchObject({
      rows,
      encoding: 'utf-8',
    })
  })

  it('a late invalid UTF-8 byte makes the whole file windows-1251', async () => {
    const late = Buffer.concat([Buffer.from('a;b\n'.repeat(400_000)), singleBytes('Ключ;5\n', 'windows-1251')])
    const found = await read(late)
    expect(found.encoding).toBe('windows-1251')
    expect(found.rows.at(-1)).toEqual(['Ключ', '5'])
  })

  it('refuses a file that is not UTF-8 when UTF-8 is configured', async () => {
    expect(await problemOf(singleBytes(text, 'windows-1251'), { encoding: 'utf-8' })).toBe('ENCODING')
  })

  it('refuses an empty file, or one with a byte order mark only', async () => {
    expect(await problemOf('')).toBe('EMPTY')
    expect(await problemOf(Buffer.from([0xef, 0xbb, 0xbf]))).toBe('EMPTY')
  })
})

describe('delimiters', () => {
  it.each([
    ['semicolons although prices have commas', 'a;1,5;x\nb;2,5;y\nc;3,5;z\n', ';'],
    ['tabs although names have commas and semicolons', 'a, b\t1;2\tx\nc\t2\ty\n', '\t'],
    ['commas', 'brand,article,price\nA,B,5\nC,D,6\n', ','],
    ['bars', 'a|b|c\nd|e|f\n', '|'],
    [
      'semicolons although rows are ragged and each price has a comma',
      'A;B;Price\na;b;1,5\nc;d;2,5;note\ne;f;3,5;note;more\n',
      ';',
    ],
    [
      'tabs although each price and each weight has a comma',
      'a\tb\t1,5\t0,2 кг\n\nc\td\t2,5 руб\t1,2\tx\ne\tf\t"3,5"\t4,1\n',
      '\t',
    ],
    [
      'semicolons after a preamble',
      'Price list of 01.02.2026, all prices with tax\n\nBrand;Article;Price\nA;B;1,5\nC;D;2,5\n',
      ';',
    ],
  ])('%s', async (_, text, delimiter) => {
    expect((await read(text)).delimiter).toBe(delimiter)
  })

  it('uses the configured delimiter', async () => {
    expect(await rowsOf('a;b,c\n', { delimiter: ',' })).toEqual([['a;b', 'c']])
  })
})

describe('rows of real lists', () => {
  it.each<[string, string, string[][]]>([
    [
      'a quote inside a cell',
      'disk 12" x;5\n"b";6\n',
      [
        ['disk 12" x', '5'],
        ['b', '6'],
      ],
    ],
    ['a quote inside a quoted cell', '"disk 12" x";5\n', [['disk 12" x', '5']]],
    ['doubled quotes', '"say ""no""";5\n', [['say "no"', '5']]],
    [
      'line breaks and delimiters in quotes',
      '"a;\nb\r\nc";5\nd;6\n',
      [
        ['a;\nb\r\nc', '5'],
        ['d', '6'],
      ],
    ],
    [
      'text after a closing quote',
      '"x" y;5\n"z";6\n',
      [
        ['"x" y', '5'],
        ['z', '6'],
      ],
    ],
    [
      'a quote that is never closed',
      '1;"Bolt;10\n2;Nut;5\n3;Washer;7\n',
      [
        ['1', '"Bolt', '10'],
        ['2', 'Nut', '5'],
        ['3', 'Washer', '7'],
      ],
    ],
    [
      'an unclosed quote, and an inch sign rows later',
      '1;"Bolt;1\n2;b;2\n3;c;3\n4;d;4\n5;e;5\n6;Pipe 1/2";6\n7;g;7\n',
      [
        ['1', '"Bolt', '1'],
        ['2', 'b', '2'],
        ['3', 'c', '3'],
        ['4', 'd', '4'],
        ['5', 'e', '5'],
        ['6', 'Pipe 1/2"', '6'],
        ['7', 'g', '7'],
      ],
    ],
    [
      'short and long rows',
      'a;b;c\n1;x\n2;y;8;7\n',
      [
        ['a', 'b', 'c'],
        ['1', 'x'],
        ['2', 'y', '8', '7'],
      ],
    ],
    [
      'mixed line ends',
      'a;1\r\nb;2\nc;3\r\n',
      [
        ['a', '1'],
        ['b', '2'],
        ['c', '3'],
      ],
    ],
    [
      'carriage returns alone',
      'a;1\rb;2\rc;3',
      [
        ['a', '1'],
        ['b', '2'],
        ['c', '3'],
      ],
    ],
    [
      'carriage returns with line feeds in quoted cells',
      'a;"x\ny";1\rb;"x\nz";2\r',
      [
        ['a', 'x\ny', '1'],
        ['b', 'x\nz', '2'],
      ],
    ],
    [
      'a single carriage return between two rows',
      'a;1;x\r\nb;2;y\rc;3;z\rd;4;w\r\ne;5;v\r\n',
      [
        ['a', '1', 'x'],
        ['b', '2', 'y'],
        ['c', '3', 'z'],
        ['d', '4', 'w'],
        ['e', '5', 'v'],
      ],
    ],
    [
      'a carriage return in a cell that is not quoted',
      'a;1;x\nb;2;y\rz\nc;3;z\r\r\nd;4;w\n',
      [
        ['a', '1', 'x'],
        ['b', '2', 'y\rz'],
        ['c', '3', 'z\r'],
        ['d', '4', 'w'],
      ],
    ],
    [
      'line feeds with a carriage return in a cell',
      'a;"x\ry";1\nb;z;2\n',
      [
        ['a', 'x\ry', '1'],
        ['b', 'z', '2'],
      ],
    ],
    [
      'NUL characters',
      'a\0;1\nb;\0\n',
      [
        ['a', '1'],
        ['b', ''],
      ],
    ],
    [
      'no line end at the end',
      'a;1\nb;"2"',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    ['blank lines, which keep their numbers', 'a;1\n\n\nb;2\n', [['a', '1'], [''], [''], ['b', '2']]],
    ['empty quoted cells', '"";"";x\n', [['', '', 'x']]],
    [
      'names of prototypes',
      '__proto__;constructor\n1;2\n',
      [
        ['__proto__', 'constructor'],
        ['1', '2'],
      ],
    ],
  ])('%s', async (_, text, rows) => {
    expect(await rowsOf(text)).toEqual(rows)
  })

  it.each([3, 4, 5, 7, 16, 64])('are the same when the file is read %i bytes at a time', async (chunkBytes) => {
    const text = 'Бренд;"Наименование ""ё""\n€ 😀";5\r\n"x" y;b;6\n1;"Bolt;10\n2;"q";""\n'.repeat(3)
    expect(await rowsOf(text, { chunkBytes, delimiter: ';' })).toEqual(await rowsOf(text, { delimiter: ';' }))
  })
})

describe('files of many blocks', () => {
  const rows = Array.from({ length: 40_000 }, (_, index) => [
    `Бренд-${index % 97}`,
    index % 11 === 0 ? `"${index}";\n` : `A-${index}`,
    `Колодка № ${index}${'я'.repeat(index % 7)}`,
    String(index),
  ])
  const csv = rows
    .map((row) => row.map((cell) => (/["\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(';'))
    .join('\r\n')

  it.each(Object.keys(encoders))('keep every letter in %s', async (name) => {
    expect(await rowsOf(encoders[name]?.(csv) ?? '')).toEqual(rows)
  })

  it('have carriage returns after their rows and line feeds in their cells', async () => {
    const multiline = Array.from({ length: 20_000 }, (_, index) => [`A-${index}`, 'Pads\nfront', '10'])
    const text = multiline.map((row) => `"${row.join('";"')}"\r`).join('')
    expect(await rowsOf(text)).toEqual(multiline)
  })

  it('take no longer when each row has an unclosed quote', async () => {
    expect(await rowsOf('"a;b\n'.repeat(400_000))).toHaveLength(400_000)
  })
})

describe('limits', () => {
  it('a row of 50 MB is refused in bounded memory', async () => {
    expect(await problemOf(Buffer.alloc(50_000_000, 'a'))).toBe('ROW_TOO_LONG')
  })

  it('rows beyond the limit are refused', async () => {
    expect(await problemOf('a;b\n'.repeat(11), { limits: { maxRows: 10 } })).toBe('TOO_MANY_ROWS')
    expect(await problemOf('a;b\n'.repeat(10), { limits: { maxRows: 10 } })).toBe('none')
  })

  it('a row of a million delimiters is blank; with one cell after them it exceeds the limit by one', async () => {
    const rows = await rowsOf(`a;b\n${';'.repeat(900_000)}\n${';'.repeat(900_000)}x\n"a"${';'.repeat(400)}"x"\nc;d\n`, {
      limits: { maxColumns: 256 },
    })
    expect(rows.map((row) => row.length)).toEqual([2, 256, 257, 257, 2])
  })
})

describe('generated rows', () => {
  const cell = fc.string({
    unit: fc.constantFrom('a', 'Б', 'ё', '5', ' ', '"', ';', ',', '\t', '|', '\n', '\r\n', '€'),
    maxLength: 12,
  })
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 6 }), { minLength: 1, maxLength: 12 })

  it.each([';', '\t', ',', '|'] as const)('are read unchanged, delimited by %j', async (delimiter) => {
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.constantFrom(...Object.keys(encoders)),
        fc.constantFrom('\n', '\r\n'),
        fc.integer({ min: 4, max: 200 }),
        fc.boolean(),
        async (rows, encoding, lineEnd, chunkBytes, quoteAll) => {
          const quote = (value: string): string =>
            quoteAll || /["\n\r;,\t|]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
          const text = rows.map((row) => row.map(quote).join(delimiter)).join(lineEnd) + lineEnd
          // a single-byte text without a letter of its own is UTF-8 too, which reads the same
          expect(await rowsOf(encoders[encoding]?.(text) ?? '', { delimiter, chunkBytes })).toEqual(rows)
        },
      ),
      { numRuns: 150 },
    )
  })
})
