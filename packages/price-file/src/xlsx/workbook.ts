import type { Readable } from 'node:stream'
import { posix } from 'node:path'
import { PriceFileError } from '../price-file-error.js'
import type { ZipFile, ZipMember } from '../zip/zip-file.js'
import { type CellFormat, readCellFormats } from './cell-format.js'
import { wholeText } from './scan-elements.js'
import { attribute, decodeXmlText, tagsNamed } from './xml-text.js'

export interface SheetPart {
  name: string
  isVisible: boolean
  path: string
}

export interface Workbook {
  sheets: SheetPart[]
  is1904: boolean
  formats: CellFormat[]
  sharedStrings?: string
}

/** Limit of a part other than sheets; in real workbooks such parts are a hundredth of it. */
const MAX_PART_BYTES = 2_000_000
/** Workbooks assembled by copying over years may have tens of thousands of styles. */
const MAX_STYLES_BYTES = 20_000_000

/** Reads the parts other than sheets. @throws PriceFileError DAMAGED when the file is not a workbook */
export async function readWorkbook(zip: ZipFile): Promise<Workbook> {
  const roots = await relations(zip, '_rels/.rels', '')
  const path = roots.find(({ type }) => type.endsWith('/officeDocument'))?.target ?? 'xl/workbook.xml'
  const xml = await partText(zip, path)
  if (xml === undefined) throw new PriceFileError('DAMAGED', 'The file is not a workbook.')
  const folder = posix.dirname(path)
  const parts = await relations(zip, posix.join(folder, '_rels', `${posix.basename(path)}.rels`), folder)
  const byId = new Map(parts.map((part) => [part.id, part]))
  const sheets = tagsNamed(xml, 'sheet').flatMap((tag) => {
    const part = byId.get(relationId(tag))
    // chart sheets and the like have no cells
    if (!part?.type.endsWith('/worksheet')) return []
    return [
      {
        name: decodeXmlText(attribute(tag, 'name') ?? ''),
        isVisible: (attribute(tag, 'state') ?? 'visible') === 'visible',
        path: part.target,
      },
    ]
  })
  const styles = parts.find(({ type }) => type.endsWith('/styles'))
  const strings = parts.find(({ type }) => type.endsWith('/sharedStrings'))
  const [settings = ''] = tagsNamed(xml, 'workbookPr')
  return {
    sheets,
    is1904: ['1', 'true'].includes(attribute(settings, 'date1904') ?? ''),
    formats: readCellFormats(styles ? ((await partText(zip, styles.target, MAX_STYLES_BYTES)) ?? '') : ''),
    ...(strings && { sharedStrings: strings.target }),
  }
}

/** Opens a part by its path, ignoring case. */
export async function openPart(zip: ZipFile, path: string): Promise<Readable | undefined> {
  const member = findMember(zip, path)
  return member && zip.unpack(member)
}

/** Unpacked bytes of a part, as claimed; 0 when there is none. */
export function partBytes(zip: ZipFile, path: string): number {
  return findMember(zip, path)?.size ?? 0
}

function findMember(zip: ZipFile, path: string): ZipMember | undefined {
  const wanted = path.toLowerCase()
  return (
    zip.members.find(({ name }) => name === path) ??
    zip.members.find(({ name }) => name.replaceAll('\\', '/').toLowerCase() === wanted)
  )
}

async function partText(zip: ZipFile, path: string, maxBytes = MAX_PART_BYTES): Promise<string | undefined> {
  const part = await openPart(zip, path)
  return part && wholeText(part, maxBytes)
}

interface Relation {
  id: string
  type: string
  target: string
}

async function relations(zip: ZipFile, path: string, folder: string): Promise<Relation[]> {
  const xml = (await partText(zip, path)) ?? ''
  return tagsNamed(xml, 'Relationship').map((tag) => {
    const target = decodeXmlText(attribute(tag, 'Target') ?? '')
    return {
      id: attribute(tag, 'Id') ?? '',
      type: attribute(tag, 'Type') ?? '',
      target: target.startsWith('/') ? target.slice(1) : posix.join(folder, target),
    }
  })
}

/** `r:id` of a sheet, with any prefix of the relationships' namespace. */
function relationId(tag: string): string {
  return /\s[\w.-]+:id=["']([^"']*)["']/.exec(tag)?.[1] ?? ''
}
