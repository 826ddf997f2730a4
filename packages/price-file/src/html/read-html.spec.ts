import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import type { PriceFileError } from '../price-file-error.js'
import { type HtmlOptions, readHtml } from './read-html.js'

const folder = mkdtempSync(join(tmpdir(), 'partsbus-html-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function read(page: string | Buffer, options?: HtmlOptions): Promise<{ encoding: string; rows: string[][] }> {
  const path = join(folder, 'page.xls')
  writeFileSync(path, page)
  const { encoding, blocks } = await readHtml(path, options)
  const rows: string[][] = []
  for await (const block of blocks) {
    expect(block.first).toBe(rows.length + 1)
    rows.push(...block.rows)
  }
  return { encoding, rows }
}

const rowsOf = async (page: string, options?: HtmlOptions) => (await read(page, options)).rows
const problemOf = (page: string, options?: HtmlOptions) =>
  read(page, options).then(
    () => 'none',
    ({ problem, row }: PriceFileError) => [problem, row].filter((part) => part !== undefined).join(' '),
  )

/** As Excel saves a sheet. */
const excel = `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel">
<head><meta http-equiv=Content-Type content="text/html; charset=utf-8"><title>Прайс</title>
<style><!--table {mso-displayed-decimal-separator:"\\,";} td {color:black} .xl24 {mso-number-format:"\\@";} --></style>
<!--[if gte mso 9]><xml><x:ExcelWorkbook><x:ExcelWorksheets><x:ExcelWorksheet><x:Name>Лист1</x:Name></xml><![endif]-->
</head><body><table x:str border=0>
 <col width=64><tr height=17><td class=xl24>Артикул</td><td>Бренд</td><td>Остаток</td></tr>
 <tr><td class=xl24 style='mso-number-format:"\\@"'>00105</td><td>KYB &amp; Co</td><td x:num="5">5</td></tr>
 <tr><td x:num="4607012345678">4,60701E+12</td><td>Bosch</td><td align=right x:num="2259.65">2 259,65</td></tr>
 <![if supportMisalignedColumns]><tr height=0 style='display:none'><td width=64></td></tr><![endif]>
</table></body></html>`

describe('the tables of a page (rules.md#html-tables)', () => {
  it('are read as Excel saves them: texts as they are, and digits that only its own attribute has', async () => {
    expect(await read(excel)).toEqual({
      encoding: 'utf-8',
      rows: [['Артикул', 'Бренд', 'Остаток'], ['00105', 'KYB & Co', '5'], ['4607012345678', 'Bosch', '2 259,65'], []],
    })
  })

  it.each<[string, string, string[][]]>([
    [
      'without end tags',
      '<table><tr><td>a<td>b<tr><th>c<th>d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['without rows, or begun anew', '<table><td>a<td>b</tr><td>c</table>', [['a', 'b'], ['c']]],
    ['in sections', '<table><thead><tr><th>a<tbody><tr><td>b<tfoot><tr><td>c</table>', [['a'], ['b'], ['c']]],
    [
      'with white space and lines',
      '<table><tr><td>\n a \t b<br>c<p>d</p></td><td>e</td></tr></table>',
      [['a b\nc\nd', 'e']],
    ],
    ['with elements in cells', '<table><tr><td><b>a</b>b<font color=red> c</font><td><a href=x>d</a>', [['ab c', 'd']]],
    [
      'with entities',
      '<table><tr><td>&lt;b&gt;&nbsp;&#1041;&#x41;&unknown;&amp<td>&quot;',
      [['<b>\u00a0БA&unknown;&', '"']],
    ],
    ['with blank cells', '<table><tr><td><td>a<td><td>&nbsp;<tr><td>b</table>', [['', 'a'], ['b']]],
    [
      'with cells over several columns',
      '<table><tr><td colspan=2>a<td>b<tr><td>c<td>d<td>e',
      [
        ['a', '', 'b'],
        ['c', 'd', 'e'],
      ],
    ],
    [
      'with cells over several rows',
      '<table><tr><td rowspan=2>a<td>b<tr><td>c<tr><td>d<td rowspan=0 colspan=2>e<td>f<tr><td>g<td>h',
      [
        ['a', 'b'],
        ['', 'c'],
        ['d', 'e', '', 'f'],
        ['g', '', '', 'h'],
      ],
    ],
    ['with rows that are hidden, as those of a workbook', '<table><tr style="display:none"><td>a<td>b', [['a', 'b']]],
    ['one after another', '<table><tr><td>a<td>b</table>text<table><tr><td>c</table>', [['a', 'b'], ['c']]],
    [
      'inside a table that lays them out',
      '<table><tr><td>top<tr><td><table><tr><td>a<td>b</table></td></tr><tr><td>c</table>',
      [['top'], ['a', 'b'], ['c']],
    ],
    [
      'as text of a cell beside others',
      '<table><tr><td>a<td><table><tr><td>b<td>c</table>d<td>e</table>',
      [['a', 'b c d', 'e']],
    ],
    [
      'without what a browser does not show',
      '<table><tr><td>a<script>if (1 < 2) "<td>x"</script><style>td {}</style><!-- <td>y --><td>b' +
        '<textarea><td>z</textarea><tr><td>c</table>',
      [['a', 'b'], ['c']],
    ],
    [
      'of XHTML, with empty elements',
      '<?xml version="1.0"?><html><head><title/><script src="a.js"/></head><body><table/><table><tr/>' +
        '<tr><td>a</td><td/><td>b<br/>c</td></tr></table></body></html>',
      [[], ['a', '', 'b\nc']],
    ],
    ['with NUL characters', '<table><tr><td>a\0b<td>c', [['ab', 'c']]],
  ])('%s', async (_, page, rows) => {
    expect(await rowsOf(page)).toEqual(rows)
  })

  it('are the same wherever the file is cut into chunks', async () => {
    const row = '<tr><td rowspan="2">Ко&amp;лодка</td><td colspan=2>12&nbsp;345</td></tr><tr><td>№ &#8470;</td></tr>\n'
    const expected = [
      ['Ко&лодка', '12\u00a0345'],
      ['', '№ №'],
    ]
    const times = 5_000
    expect(await rowsOf(`<table>${row.repeat(times)}`)).toEqual(Array.from({ length: times }, () => expected).flat())
  })

  it.each<[string, Buffer, HtmlOptions, string]>([
    ['UTF-16 by its mark', Buffer.from('\ufeff<table><tr><td>Бош<td>1', 'utf16le'), {}, 'utf-16le'],
    ['UTF-8 although another is declared', Buffer.from('<meta charset=koi8-r><table><tr><td>Бош<td>1'), {}, 'utf-8'],
    ['the declared one', bytes('koi8-r', '<meta charset="koi8-r"><table><tr><td>Бош<td>1'), {}, 'koi8-r'],
    [
      'that of an XML declaration',
      bytes('ibm866', '<?xml version="1.0" encoding="cp866"?><html><table><tr><td>Бош<td>1'),
      {},
      'ibm866',
    ],
    [
      'windows-1251 where none is known',
      bytes('windows-1251', '<meta charset=x><table><td>Бош<td>1'),
      {},
      'windows-1251',
    ],
    ...['unicode', 'ucs-2', 'iso-10646-ucs-2', 'utf-16', 'unicode-1-1-utf-8'].map(
      (label): [string, Buffer, HtmlOptions, string] => [
        `windows-1251 where ${label} is declared`,
        bytes('windows-1251', `<meta charset=${label}><table><td>Бош<td>1`),
        {},
        'windows-1251',
      ],
    ),
    [
      'the one of the list',
      bytes('ibm866', '<meta charset=koi8-r><table><td>Бош<td>1'),
      { encoding: 'ibm866' },
      'ibm866',
    ],
  ])('are in the encoding: %s', async (_, page, options, encoding) => {
    expect(await read(page, options)).toEqual({ encoding, rows: [['Бош', '1']] })
  })

  it('have one cell more than are read in a row that is too wide', async () => {
    const [row] = await rowsOf(`<table><tr>${'<td>1'.repeat(300)}`)
    expect(row).toHaveLength(257)
    expect(await rowsOf(`<table><tr><td>1<td>2${'<td> '.repeat(300)}`)).toEqual([['1', '2']])
  })
})

describe('a page without a table of data is none (rules.md#web-page)', () => {
  it.each([
    ['a form to sign in', '<html><form><input name=login><input type=password></form>'],
    [
      'a form that is laid out by a table',
      '<table><tr><td>Логин<td><input><tr><td>Пароль<td><input type="Password"></table>',
    ],
    ['a message', '<!doctype html><html><body><h1>404</h1><p>Not found'],
    ['a table of one cell', '<table><tr><td>Идут работы</table>'],
    ['an empty table', '<table><tr><td></td></tr></table>'],
    ['a script that draws its page', `<script>${'document.write("<table><tr><td>a<td>b");'.repeat(9_999)}</script>`],
  ])('%s', async (_, page) => {
    expect(await problemOf(page)).toBe('WEB_PAGE')
  })

  it('a table beside a form is read', async () => {
    const page = '<form><input type=password></form><table><tr><td>Артикул<td>Остаток<tr><td>A1<td>5</table>'
    expect(await rowsOf(page)).toEqual([
      ['Артикул', 'Остаток'],
      ['A1', '5'],
    ])
  })
})

function bytes(page: string, text: string): Buffer {
  const table = new Map(
    Array.from({ length: 256 }, (_, byte) => [new TextDecoder(page).decode(Uint8Array.of(byte)), byte]),
  )
  return Buffer.from([...text].map((char) => table.get(char) ?? 0x3f))
}
