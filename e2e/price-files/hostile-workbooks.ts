import { crc32 } from 'node:zlib'
import { claimZip, type ClaimedMember, member, packedTimes } from '@partsbus/test-kit/zip'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

export interface Workbook {
  /** content of `sheetData`, or a complete part */
  rows: string | ClaimedMember
  /** after `sheetData` */
  behind?: string
  /** before `sheetData` */
  before?: string
  /** content of `sst`, or a complete part */
  strings?: string | ClaimedMember
  styles?: string
  settings?: string
  /** before the workbook's root element */
  prolog?: string
  /** a first sheet that is hidden, with these rows */
  hidden?: string
}

const part = (name: string, xml: string): ClaimedMember =>
  member(name, `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${xml}`)
const sheetPart = (name: string, rows: string, before = '', behind = '') =>
  part(name, `<worksheet xmlns="${MAIN}">${before}<sheetData>${rows}</sheetData>${behind}</worksheet>`)
const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`
const relations = (...list: string[]) =>
  `<Relationships xmlns="${PACKAGE}/relationships">${list.join('')}</Relationships>`

/** A workbook whose sheet comes before the shared strings. */
export function makeWorkbook({
  rows,
  behind,
  before,
  strings,
  styles,
  settings = '',
  prolog = '',
  hidden,
}: Workbook): Buffer {
  const sheets = [
    ...(hidden === undefined ? [] : ['<sheet name="Hidden" sheetId="2" state="hidden" r:id="rId2"/>']),
    '<sheet name="List" sheetId="1" r:id="rId1"/>',
  ]
  return claimZip([
    part('[Content_Types].xml', `<Types xmlns="${PACKAGE}/content-types"/>`),
    part('_rels/.rels', relations(relation('rId1', 'officeDocument', 'xl/workbook.xml'))),
    member(
      'xl/workbook.xml',
      `<?xml version="1.0"?>${prolog}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">${settings}` +
        `<sheets>${sheets.join('')}</sheets></workbook>`,
    ),
    part(
      'xl/_rels/workbook.xml.rels',
      relations(
        relation('rId1', 'worksheet', 'worksheets/sheet1.xml'),
        relation('rId2', 'worksheet', 'worksheets/sheet2.xml'),
        relation('rId3', 'sharedStrings', 'sharedStrings.xml'),
        relation('rId4', 'styles', 'styles.xml'),
      ),
    ),
    ...(hidden === undefined ? [] : [sheetPart('xl/worksheets/sheet2.xml', hidden)]),
    typeof rows === 'string' ? sheetPart('xl/worksheets/sheet1.xml', rows, before, behind) : rows,
    ...(strings === undefined
      ? []
      : [
          typeof strings === 'string' ? part('xl/sharedStrings.xml', `<sst xmlns="${MAIN}">${strings}</sst>`) : strings,
        ]),
    ...(styles === undefined ? [] : [part('xl/styles.xml', `<styleSheet xmlns="${MAIN}">${styles}</styleSheet>`)]),
  ])
}

/** A row of inline texts. */
export function textRow(...texts: string[]): string {
  return `<row>${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`
}

/** A part with one element repeated between `open` and `close`, which compresses to almost nothing. */
export function repeatedPart(name: string, open: string, element: string, times: number, close: string): ClaimedMember {
  const [head, tail] = [Buffer.from(open.replace('>', ` xmlns="${MAIN}">`)), Buffer.from(close)]
  const each = 10_000
  const turns = Math.ceil(times / each)
  const unit = Buffer.from(element.repeat(each))
  let checksum = crc32(head)
  for (let count = 0; count < turns; count++) checksum = crc32(unit, checksum)
  const packed = Buffer.concat([
    withoutEnd(packedTimes(head, 1)),
    withoutEnd(packedTimes(unit, turns)),
    packedTimes(tail, 1),
  ])
  return { name, packed, size: head.length + unit.length * turns + tail.length, checksum: crc32(tail, checksum) }
}

/** Compressed bytes without the two that end a stream, so that more can follow. */
function withoutEnd(packed: Buffer): Buffer {
  return packed.subarray(0, -2)
}
