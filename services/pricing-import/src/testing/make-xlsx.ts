import { makeZip } from '@partsbus/test-kit/zip'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'

/** A workbook with the XML of the rows of its one sheet, of its shared strings and of its styles. */
export function makeXlsx(sheet: string, { strings = '', styles = '' } = {}): Buffer {
  const relations = (...list: Array<[type: string, target: string]>): string =>
    `<Relationships xmlns="${RELATIONS}">` +
    list
      .map(([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`)
      .join('') +
    '</Relationships>'
  return makeZip([
    ['[Content_Types].xml', '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'],
    ['_rels/.rels', relations(['officeDocument', 'xl/workbook.xml'])],
    [
      'xl/workbook.xml',
      `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>` +
        '<sheet name="List" sheetId="1" r:id="rId1"/></sheets></workbook>',
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relations(
        ['worksheet', 'worksheets/sheet1.xml'],
        ['sharedStrings', 'sharedStrings.xml'],
        ['styles', 'styles.xml'],
      ),
    ],
    ['xl/sharedStrings.xml', `<sst xmlns="${MAIN}">${strings}</sst>`],
    ['xl/worksheets/sheet1.xml', `<worksheet xmlns="${MAIN}"><sheetData>${sheet}</sheetData></worksheet>`],
    ['xl/styles.xml', `<styleSheet xmlns="${MAIN}">${styles}</styleSheet>`],
  ])
}
