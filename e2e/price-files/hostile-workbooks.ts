import { crc32 } from 'node:zlib'
import { claimZip, type ClaimedMember, member, packedTimes } from './hostile-archives.js'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

export interface Workbook {
  /** inside of `sheetData`, or a part made otherwise */
  rows: string | ClaimedMember
  /** behind `sheetData` */
  behind?: string
  /** in front of it */
  before?: string
  /** inside of `sst`, or a part made otherwise */
  strings?: string | ClaimedMember
  styles?: string
  settings?: string
  /** in front of the workbook's root element */
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

/** A workbook, part by part; the sheet stands in front of the shared strings. */
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
      `<?xml version="1.0"?>${prolog}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">${settings}<sheets>${sheets.join('')}</sheets></workbook>`,
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

/** A part of one element repeated, between `open` and `close`, which packs to nearly nothing. */
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

/** Packed bytes that others follow: without the two that end a stream. */
function withoutEnd(packed: Buffer): Buffer {
  return packed.subarray(0, -2)
}
