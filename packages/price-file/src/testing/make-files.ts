import AdmZip from 'adm-zip'

/** A ZIP of the given members, in order. A library writes it, so the reader is not tested only with our own writer. */
export function makeZip(members: ReadonlyArray<readonly [name: string, content: string | Buffer]>): Buffer {
  const zip = new AdmZip()
  // added under a plain name first, because the library corrects names with `..` and duplicates
  for (const [index, [name, content]] of members.entries())
    zip.addFile(`member-${index}`, Buffer.from(content)).entryName = name
  return zip.toBuffer()
}

export interface WorkbookParts {
  sheet: string
  strings?: string
  styles?: string
  workbookSettings?: string
  /** write the sheet before the shared strings */
  stringsLast?: boolean
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relation = (id: string, type: string, target: string): string =>
  `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`
const relationFile = (...list: string[]): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list.join('')}</Relationships>`

/** A minimal workbook with the XML of a sheet. */
export function makeXlsx({
  sheet,
  strings,
  styles,
  workbookSettings = '',
  stringsLast = false,
}: WorkbookParts): Buffer {
  const shared =
    strings === undefined ? [] : [['xl/sharedStrings.xml', `<sst xmlns="${main}">${strings}</sst>`] as const]
  return makeZip([
    ['[Content_Types].xml', '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'],
    ['_rels/.rels', relationFile(relation('rId1', 'officeDocument', 'xl/workbook.xml'))],
    [
      'xl/workbook.xml',
      `<workbook xmlns="${main}" xmlns:r="${relations}">${workbookSettings}` +
        '<sheets><sheet name="List" sheetId="1" r:id="rId1"/></sheets></workbook>',
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relationFile(
        relation('rId1', 'worksheet', 'worksheets/sheet1.xml'),
        relation('rId2', 'sharedStrings', 'sharedStrings.xml'),
        relation('rId3', 'styles', 'styles.xml'),
      ),
    ],
    ...(stringsLast ? [] : shared),
    ['xl/worksheets/sheet1.xml', `<worksheet xmlns="${main}"><sheetData>${sheet}</sheetData></worksheet>`],
    ...(styles === undefined ? [] : [['xl/styles.xml', `<styleSheet xmlns="${main}">${styles}</styleSheet>`] as const]),
    ...(stringsLast ? shared : []),
  ])
}
