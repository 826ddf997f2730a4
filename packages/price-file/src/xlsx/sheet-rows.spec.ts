import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { Readable } from 'node:stream'
import { readCellFormats, showNumber } from './cell-format.js'
import { readSharedStrings, SharedStrings } from './shared-strings.js'
import { sheetRows } from './sheet-rows.js'

const limits = { maxRows: 1_000, maxColumns: 256, maxRowChars: 1_000_000 }
const stringLimits = { maxStrings: 1_000, maxStringBytes: 1_000_000 }

async function rowsOf(
  chunks: Buffer[],
  strings = new SharedStrings(),
  styles = '',
): Promise<Array<[number, string[]]>> {
  const found: Array<[number, string[]]> = []
  const setting = { strings, formats: readCellFormats(styles), is1904: false }
  for await (const { first, rows } of sheetRows(Readable.from(chunks), setting, limits))
    found.push(...rows.map((row, index) => [first + index, row] as [number, string[]]))
  return found
}

function bytesOf(name: string, inside: string, prefix = ''): Buffer {
  const content = prefix === '' ? inside : inside.replace(/<(\/?)(?=\w)/g, `<$1${prefix}`)
  return Buffer.from(`<?xml version="1.0"?><${prefix}${name}>${content}</${prefix}${name}>`)
}

const sheet =
  '<sheetData><rowBreaks/><row r="2" spans="1:6"><c r="A2" t="s"><v>1</v></c>\n<c r="B2"/>' +
  '<c r=\'C2\' s="0"><v>1.50</v></c><c t="str"><f>A1</f><v>ё&amp;</v></c></row>' +
  '<row r="3"/><row r="7" ht="12"><c r="A7" t="inlineStr"><is><t>Ключ 😀</t></is></c><col/>' +
  '<c r="C7" t="inlineStr"><is><r><t>a</t></r><r><t xml:space="preserve"> б</t></r></is></c>' +
  '<c t="s"><v>0</v></c><c t="s"><v>0</v></c><c t="b"><v>1</v></c></row></sheetData><mergeCells/>'
const sheetRowsExpected = [
  [2, ['Бренд & Co', '', '1.5', 'ё&']],
  [3, []],
  [7, ['Ключ 😀', '', 'a б', 'x', 'x', 'TRUE']],
]
const texts =
  '<si><t>x</t></si><si><t>Бренд &amp; Co</t></si><si/><si><t xml:space="preserve"> у </t></si>\n' +
  '<si><r><t>a</t></r><rPh><t>か</t></rPh><r><t>б</t></r></si>'
const textsExpected = ['x', 'Бренд & Co', '', ' у ', 'aб']

describe('a sheet cut anywhere', () => {
  it.each([
    ['', ''],
    ['with a prefix', 'x:'],
  ])('gives the same rows %s', async (_, prefix) => {
    const bytes = bytesOf('worksheet', sheet, prefix)
    const strings = await readSharedStrings(Readable.from([bytesOf('sst', texts)]), stringLimits)
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect([cut, await rowsOf([bytes.subarray(0, cut), bytes.subarray(cut)], strings)]).toEqual([
        cut,
        sheetRowsExpected,
      ])
    }
    expect(
      await rowsOf(
        Array.from(bytes, (byte) => Buffer.from([byte])),
        strings,
      ),
    ).toEqual(sheetRowsExpected)
  })

  it.each([
    ['', ''],
    ['with a prefix', 'x:'],
  ])('gives the same shared texts %s, also when they are asked for again', async (_, prefix) => {
    const bytes = bytesOf('sst', texts, prefix)
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const strings = await readSharedStrings(
        Readable.from([bytes.subarray(0, cut), bytes.subarray(cut)]),
        stringLimits,
      )
      for (let turn = 0; turn < 3; turn += 1)
        expect(textsExpected.map((_text, index) => strings.get(index))).toEqual(textsExpected)
      expect([strings.length, strings.get(5), strings.get(-1), strings.get(0.5)]).toEqual([
        5,
        undefined,
        undefined,
        undefined,
      ])
    }
  })
})

describe('cells', () => {
  const rowOf = async (cells: string, styles?: string): Promise<string[] | undefined> =>
    (await rowsOf([bytesOf('worksheet', `<sheetData><row>${cells}</row></sheetData>`)], undefined, styles))[0]?.[1]

  it.each<[string, string, string[]]>([
    [
      'without a reference follow the previous cell, also a blank one',
      '<c><v>1</v></c><c/><c><v>2</v></c><c r="F9"><v>3</v></c><c><v>4</v></c>',
      ['1', '', '2', '', '', '3', '4'],
    ],
    ['that name no shared text are blank', '<c t="s"><v></v></c><c t="s"><v>7</v></c><c><v>1</v></c>', ['', '', '1']],
    ['may stand in comments, where they are none', '<!--<c><v>1</v></c>--><c><v>2</v></c>', ['2']],
    ['may have their attributes in any order and spaces anywhere', '<c t="n" s="0" r="B1" ><v> 5 </v></c>', ['', '5']],
    ['out of order go where they say', '<c r="B1"><v>2</v></c><c r="A1"><v>1</v></c>', ['1', '2']],
    ['in CDATA are texts', '<c t="inlineStr"><is><t><![CDATA[<c>&]]></t></is></c>', ['<c>&']],
  ])('%s', async (_, cells, row) => {
    expect(await rowOf(cells)).toEqual(row)
  })

  it('show equal numbers equally, however they are written', async () => {
    const digits = fc.string({ unit: fc.constantFrom('0', '1', '5', '9', '.', '-'), minLength: 1, maxLength: 18 })
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(digits, fc.double({ noNaN: true, noDefaultInfinity: true }).map(String)),
        async (raw) => {
          expect(await rowOf(`<c><v>${raw}</v></c><c><v>1</v></c>`)).toEqual([showNumber(raw, undefined, false), '1'])
        },
      ),
      { numRuns: 1_000 },
    )
  })

  it('are shown by their style', async () => {
    const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>'
    expect(await rowOf('<c s="1"><v>44197</v></c><c s="0"><v>44197</v></c><c s="9"><v>44197</v></c>', styles)).toEqual([
      '2021-01-01',
      '44197',
      '44197',
    ])
  })
})
