import { unmarkedUtf16 } from './text-encoding.js'

/** The kind of a file, determined by its bytes. */
export type FileKind = 'empty' | 'zip' | 'rar' | 'ole' | 'xml-workbook' | 'html' | 'text' | 'other'

/** Extensions a partner may upload, alone or in an archive (rules.md#valid-files). */
const listedExtensions = ['csv', 'txt', 'xls', 'xlsx', 'zip', 'rar'] as const
export type ListedExtension = (typeof listedExtensions)[number]
/** Administrators and sources may send tables of pages under their own names, too (rules.md#page-files). */
const pageExtensions = ['htm', 'html'] as const
export type FileExtension = ListedExtension | (typeof pageExtensions)[number]

const magics: Array<[FileKind, readonly number[]]> = [
  ['zip', [0x50, 0x4b, 0x03, 0x04]],
  ['zip', [0x50, 0x4b, 0x05, 0x06]],
  ['rar', [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07]],
  ['ole', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]],
]

/** `%PDF`, `MZ`, ELF, PNG, JPEG, GIF, gzip, 7z, bzip2: never a price list. */
const foreign: ReadonlyArray<readonly number[]> = [
  [0x25, 0x50, 0x44, 0x46],
  [0x7f, 0x45, 0x4c, 0x46],
  [0x89, 0x50, 0x4e, 0x47],
  [0xff, 0xd8, 0xff],
  [0x47, 0x49, 0x46, 0x38],
  [0x1f, 0x8b],
  [0x37, 0x7a, 0xbc, 0xaf],
  [0x42, 0x5a, 0x68],
]

/** What a page of the web begins with; 1C and shops save tables without the elements around them. */
const PAGE = /^<(!doctype html|html|head|meta|title|link|style|script|body|div|center|form|table|thead|tbody|tr)[\s/>]/
const COMMENTS = /^(<!--(?:(?!-->)[^])*-->\s*)+/

/**
 * Determines the kind from the first few kilobytes.
 * @param head the first 4,096 bytes, or the whole file if it is smaller
 */
export function sniff(head: Buffer): FileKind {
  if (head.length === 0) return 'empty'
  for (const [kind, magic] of magics) if (startsWith(head, magic)) return kind
  if (foreign.some((magic) => startsWith(head, magic)) || isProgram(head)) return 'other'
  const start = head
    .toString('latin1')
    .replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .replaceAll('\0', '')
    .trimStart()
    .slice(0, 2_048)
    .toLowerCase()
  if (start.startsWith('<?xml') || start.startsWith('<workbook'))
    return start.includes('schemas-microsoft-com:office:spreadsheet')
      ? 'xml-workbook'
      : start.includes('<html')
        ? 'html'
        : 'other'
  if (PAGE.test(start.replace(COMMENTS, ''))) return 'html'
  return isBinary(head) ? 'other' : 'text'
}

/** The kinds allowed for each extension. Old systems save many kinds as `.xls`. */
const families: Record<FileExtension, readonly FileKind[]> = {
  csv: ['text'],
  txt: ['text'],
  xls: ['ole', 'zip', 'xml-workbook', 'html', 'text'],
  xlsx: ['zip'],
  htm: ['html'],
  html: ['html'],
  zip: ['zip'],
  rar: ['rar'],
}

export function mayHold(extension: FileExtension, kind: FileKind): boolean {
  return families[extension].includes(kind)
}

/** The accepted extension of a file name, ignoring case. */
export function fileExtension(fileName: string): FileExtension | undefined {
  const found = extensionOf(fileName)
  return [...listedExtensions, ...pageExtensions].find((extension) => extension === found)
}

/** The extension of a file name that a partner may upload. */
export function listedExtension(fileName: string): ListedExtension | undefined {
  const found = extensionOf(fileName)
  return listedExtensions.find((extension) => extension === found)
}

const extensionOf = (fileName: string) => /\.([a-z]+)$/i.exec(fileName.trim())?.[1]?.toLowerCase()

function startsWith(head: Buffer, magic: readonly number[]): boolean {
  return magic.every((byte, index) => head[index] === byte)
}

/** A file with `MZ` is a program only if its header points to `PE`; a brand may begin with these letters too. */
function isProgram(head: Buffer): boolean {
  if (head[0] !== 0x4d || head[1] !== 0x5a || head.length < 0x40) return false
  const offset = head.readUInt32LE(0x3c)
  return offset + 2 > head.length || head.toString('latin1', offset, offset + 2) === 'PE'
}

/** Control characters that do not occur in text. NUL is allowed: it occurs in UTF-16 and in faulty exports. */
function isBinary(head: Buffer): boolean {
  let control = 0
  for (const byte of head)
    if (byte < 0x20 && byte !== 0 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 0x1a)
      control += 1
  const hasWideMark = startsWith(head, [0xff, 0xfe]) || startsWith(head, [0xfe, 0xff])
  return !hasWideMark && control > Math.max(2, head.length * 0.05) && unmarkedUtf16(head) === undefined
}
