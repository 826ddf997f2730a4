import type { BadUpload, Outcome } from './bad-uploads.js'

const HEAD = 'Бренд;Артикул;Название;Количество;Цена'
const ONE = 'ЛУКОЙЛ;BAD-1;Масло "5W40";3;1 234,50'
const CSV = `${HEAD}\n${ONE}\n`
const READ: Outcome = {
  imports: 1,
  skips: 0,
  offers: { 'BAD-1': { brand: 'ЛУКОЙЛ', name: 'Масло "5W40"', quantity: 3, price: 1234.5 } },
}

/** Encodes a text in a code page by trying every byte. */
function inPage(text: string, page: string): Buffer {
  const table = new Map(
    Array.from({ length: 256 }, (_, byte) => [new TextDecoder(page).decode(Uint8Array.of(byte)), byte]),
  )
  return Buffer.from([...text].map((char) => table.get(char) ?? 0x3f))
}

/** The same table with another delimiter; cells are quoted if necessary. */
function divided(delimiter: string): string {
  return CSV.split('\n')
    .map((line) =>
      line
        .split(';')
        .map((cell) => (/["]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell))
        .join(delimiter),
    )
    .join('\n')
}

const forms: Array<[string, () => string | Buffer, string?]> = [
  ['windows-1251', () => inPage(CSV, 'windows-1251')],
  ['UTF-8', () => CSV],
  ['UTF-8 with a mark', () => `\ufeff${CSV}`],
  ['UTF-16LE', () => Buffer.from(`\ufeff${CSV}`, 'utf16le')],
  ['UTF-16BE', () => Buffer.from(`\ufeff${CSV}`, 'utf16le').swap16()],
  ['UTF-16LE without a mark', () => Buffer.from(CSV, 'utf16le')],
  ['UTF-16BE without a mark', () => Buffer.from(CSV, 'utf16le').swap16()],
  ['commas', () => divided(',')],
  ['tabs', () => divided('\t')],
  ['tabs, as TXT', () => divided('\t'), 'x.txt'],
  ['bars', () => divided('|')],
  ['CRLF', () => CSV.replaceAll('\n', '\r\n')],
  ['CR', () => CSV.replaceAll('\n', '\r')],
  ['NBSP between thousands', () => CSV.replace('1 234', '1\u00a0234')],
  ['narrow NBSP between thousands', () => CSV.replace('1 234', '1\u202f234')],
  ['a line that names the delimiter', () => `sep=;\n${CSV}`],
]

const rows: Array<[number, string, string, Outcome]> = [
  [
    53,
    'ragged rows',
    `${CSV}KYB\nKYB;BAD-2\nKYB;BAD-3;x;4\nKYB;BAD-4;x;5;6;7;8;9\n`,
    {
      imports: 3,
      skips: 2,
      codes: ['GROUP_ROW', 'NO_QUANTITY'],
      offers: { 'BAD-3': { quantity: 4 }, 'BAD-4': { quantity: 5, price: 6 } },
    },
  ],
  [
    53,
    'headings and cells with the names of prototypes',
    'Бренд;Артикул;Количество;__proto__;constructor\nconstructor;__proto__;3;toString;valueOf\n',
    { imports: 1, skips: 0, offers: { ['__proto__']: { brand: 'CONSTRUCTOR', article: '__proto__', quantity: 3 } } },
  ],
  [54, 'a price below 0', `${CSV}KYB;BAD-2;x;1;-5\n`, { imports: 1, skips: 1, codes: ['NEGATIVE_PRICE'] }],
  [
    54,
    'prices that are none',
    `${CSV}KYB;A;x;1;1e309\nKYB;B;x;1;0,1,2\nKYB;C;x;1;=1+1\nKYB;D;x;1;NaN\n`,
    { imports: 1, skips: 4, codes: ['BAD_PRICE', 'BAD_PRICE', 'BAD_PRICE', 'BAD_PRICE'] },
  ],
  [
    54,
    'no article, no brand, no quantity',
    `${CSV}KYB;;x;1;5\n;X-1;x;1;5\nKYB;X-2;x;;5\nKYB;---;x;1;5\n`,
    { imports: 1, skips: 4, codes: ['NO_ARTICLE', 'NO_BRAND', 'NO_QUANTITY', 'NO_ARTICLE'] },
  ],
  [
    54,
    'formulas for texts',
    `${CSV}KYB;=cmd|' /C calc'!A0;=1+1;2;5\n`,
    {
      imports: 2,
      skips: 0,
      offers: { "cmd|' /C calc'!A0": { article: "=cmd|' /C calc'!A0", name: '=1+1', quantity: 2 } },
    },
  ],
  [
    54,
    'the same row twice: the last one counts',
    `${CSV}Лукойл;bad 1;x;7;8\n`,
    { imports: 1, skips: 1, codes: ['DUPLICATE'], offers: { 'BAD-1': { brand: 'ЛУКОЙЛ', quantity: 7, price: 8 } } },
  ],
]

/** An idle reader needs 70 MiB; the limit of bad-inputs.md#input-52 is 60 MB more. */
const READER_MIB = 130

const large: Array<[number, string, () => string | Buffer, Outcome]> = [
  [52, '50 MB without a line end', () => Buffer.alloc(50_000_000, 'a'), { fails: /longer than 1000000 characters/ }],
  [52, '50 MB of quotes', () => Buffer.alloc(50_000_000, '"'), { fails: /longer than 1000000 characters/ }],
  [
    52,
    'an unclosed quote in front of 100,000 rows',
    () => `${HEAD}\nKYB;"BAD-0;x;1;1\n${Array.from({ length: 100_000 }, (_, at) => `KYB;Q-${at};x;2;3`).join('\n')}\n`,
    { imports: 100_001, skips: 0, offers: { 'Q-99999': { quantity: 2 } } },
  ],
  [
    52,
    'a line of 1,000,000 delimiters',
    () => `${CSV}${';'.repeat(990_000)}\n${';'.repeat(990_000)}x\n`,
    { imports: 1, skips: 1, codes: ['TOO_MANY_CELLS'] },
  ],
  [52, 'NUL bytes', () => CSV.replace('BAD-1', 'B\0AD-1\0').replace('3', '\x003'), READ],
  [
    52,
    'nothing but line ends, 5 MB of them',
    () => '\n'.repeat(5_000_000),
    { fails: /^No column was found for the article/ },
  ],
  [55, 'a header alone', () => `${HEAD}\n`, { fails: /no rows/ }],
  [55, 'no valid row', () => `${HEAD}\nKYB;A;x;abc;1\n;;;;\n`, { fails: /None of the 1 rows/ }],
  [55, 'no header', () => 'a;b;c\n1;2;3\n', { fails: /No column was found for the article/ }],
]

/** Encodings, delimiters, rows, sizes. */
export const badTexts: BadUpload[] = [
  ...forms.map(([what, content, name = 'x.csv']): BadUpload => ({
    input: 51,
    what: `text in ${what}`,
    name,
    content,
    outcome: READ,
  })),
  ...rows.map(([input, what, content, outcome]): BadUpload => ({
    input,
    what: `a CSV with ${what}`,
    name: 'x.csv',
    content: () => content,
    outcome,
  })),
  ...large.map(([input, what, content, outcome]): BadUpload => ({
    input,
    what: `a CSV of ${what}`,
    name: 'x.csv',
    content,
    outcome,
    memory: READER_MIB,
  })),
]
