import { makeZip } from '@partsbus/test-kit/zip'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

/** A minimal workbook with these rows of texts. */
export function makeXlsx(rows: ReadonlyArray<readonly string[]>): Buffer {
  const cells = rows
    .map((row) => `<row>${row.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`)
    .join('')
  const relation = (type: string, target: string): string =>
    `<Relationships xmlns="${PACKAGE}/relationships">` +
    `<Relationship Id="rId1" Type="${OFFICE}/${type}" Target="${target}"/></Relationships>`
  return makeZip([
    ['[Content_Types].xml', `<Types xmlns="${PACKAGE}/content-types"/>`],
    ['_rels/.rels', relation('officeDocument', 'xl/workbook.xml')],
    [
      'xl/workbook.xml',
      `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">` +
        '<sheets><sheet name="List" sheetId="1" r:id="rId1"/></sheets></workbook>',
    ],
    ['xl/_rels/workbook.xml.rels', relation('worksheet', 'worksheets/sheet1.xml')],
    ['xl/worksheets/sheet1.xml', `<worksheet xmlns="${MAIN}"><sheetData>${cells}</sheetData></worksheet>`],
  ])
}
