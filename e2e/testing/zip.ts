import { crc32, deflateRawSync } from 'node:zlib'

type Members = ReadonlyArray<readonly [name: string, content: string | Buffer]>

const UTF8_NAME = 0x0800
const DEFLATED = 8

/** A ZIP of the given members, in order; a name that ends in a slash is a folder. */
export function makeZip(members: Members): Buffer {
  const local: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [text, content] of members) {
    const name = Buffer.from(text)
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes)
    // version, flags, method, time, date, checksum, sizes, lengths of the name and of the extra field
    const facts = numbers(
      [20, 2],
      [UTF8_NAME, 2],
      [DEFLATED, 2],
      [0, 2],
      [0x21, 2],
      [crc32(bytes), 4],
      [packed.length, 4],
      [bytes.length, 4],
      [name.length, 2],
      [0, 2],
    )
    const entry = Buffer.concat([Buffer.from('PK\x03\x04'), facts, name, packed])
    directory.push(
      Buffer.concat([
        Buffer.from('PK\x01\x02'),
        numbers([20, 2]),
        facts,
        numbers([0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]),
        name,
      ]),
    )
    local.push(entry)
    offset += entry.length
  }
  const index = Buffer.concat(directory)
  return Buffer.concat([
    ...local,
    index,
    Buffer.from('PK\x05\x06'),
    numbers([0, 2], [0, 2], [members.length, 2], [members.length, 2], [index.length, 4], [offset, 4], [0, 2]),
  ])
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

/** A minimal workbook with these rows of texts. */
export function makeXlsx(rows: ReadonlyArray<readonly string[]>): Buffer {
  const cells = rows
    .map((row) => `<row>${row.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`)
    .join('')
  const relation = (type: string, target: string): string =>
    `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/${type}" Target="${target}"/></Relationships>`
  return makeZip([
    ['[Content_Types].xml', `<Types xmlns="${PACKAGE}/content-types"/>`],
    ['_rels/.rels', relation('officeDocument', 'xl/workbook.xml')],
    [
      'xl/workbook.xml',
      `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="List" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ],
    ['xl/_rels/workbook.xml.rels', relation('worksheet', 'worksheets/sheet1.xml')],
    ['xl/worksheets/sheet1.xml', `<worksheet xmlns="${MAIN}"><sheetData>${cells}</sheetData></worksheet>`],
  ])
}

/** Little-endian integers of the given widths. */
function numbers(...list: ReadonlyArray<readonly [value: number, bytes: 2 | 4]>): Buffer {
  return Buffer.concat(
    list.map(([value, bytes]) => {
      const buffer = Buffer.alloc(bytes)
      buffer.writeUIntLE(value, 0, bytes)
      return buffer
    }),
  )
}
