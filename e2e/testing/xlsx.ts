import { makeZip } from '@partsbus/test-kit/zip'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

/** A minimal workbook with these rows of texts in one sheet. */
export const makeXlsx = (rows: ReadonlyArray<readonly string[]>): Buffer => makeWorkbook({ List: rows })

/** A minimal workbook: the name of each sheet, and its rows of texts. */
export function makeWorkbook(sheets: Record<string, ReadonlyArray<readonly string[]>>): Buffer {
  const names = Object.keys(sheets)
  const relations = (lines: string[]): string =>
    `<Relationships xmlns="${PACKAGE}/relationships">${lines.join('')}</Relationships>`
  const relation = (id: number, type: string, target: string): string =>
    `<Relationship Id="rId${id}" Type="${OFFICE}/${type}" Target="${target}"/>`
  const listed = names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('')
  return makeZip([
    ['[Content_Types].xml', `<Types xmlns="${PACKAGE}/content-types"/>`],
    ['_rels/.rels', relations([relation(1, 'officeDocument', 'xl/workbook.xml')])],
    ['xl/workbook.xml', `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${listed}</sheets></workbook>`],
    [
      'xl/_rels/workbook.xml.rels',
      relations(names.map((_, at) => relation(at + 1, 'worksheet', `worksheets/sheet${at + 1}.xml`))),
    ],
    ...Object.values(sheets).map((rows, at): [string, string] => [
      `xl/worksheets/sheet${at + 1}.xml`,
      `<worksheet xmlns="${MAIN}"><sheetData>${rows.map(rowOf).join('')}</sheetData></worksheet>`,
    ]),
  ])
}

const rowOf = (row: readonly string[]): string =>
  `<row>${row.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`
