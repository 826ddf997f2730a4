import { createWriteStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type ArchiveMember, chooseMember } from './archive.js'
import type { Delimiter } from './delimiter.js'
import { fileExtension, type FileExtension, type FileKind, type ListedExtension, mayHold, sniff } from './file-kind.js'
import { isEncryptedWorkbook } from './encrypted-workbook.js'
import { PriceFileError } from './price-file-error.js'
import type { RarFile } from './rar/rar-file.js'
import type { RowBlock, RowLimits, SheetCount } from './row-block.js'
import type { TextEncodingName } from './text-encoding.js'
import type { XlsRows } from './xls/read-xls.js'
import type { XlsxRows } from './xlsx/read-xlsx.js'
import type { ZipFile } from './zip/zip-file.js'

export interface PriceFileOptions {
  encoding?: TextEncodingName | 'auto'
  delimiter?: Delimiter | 'auto'
  /** `auto`, `all`, a name, or a 1-based number */
  sheet?: string | number
  limits?: Partial<RowLimits>
  /** unpacked bytes of the file in an archive, or of one part of a workbook */
  maxUnpacked?: number
}

/** How a file was read, and its rows. Properties that do not apply to its kind are null. */
export interface PriceFileRows {
  encoding: string | null
  delimiter: string | null
  sheet: string | null
  /** the names of all sheets of a workbook */
  sheets: string[]
  blocks: AsyncGenerator<RowBlock>
}

const MAX_UNPACKED = 1024 ** 3
const MAX_MEMBERS = 1_000
const HEAD_BYTES = 4_096

/**
 * Checks extension and first bytes, which is safe in any process.
 * @returns true when `checkPriceFile` would check nothing else, as for text files and XLS workbooks
 * @throws PriceFileError
 */
export async function checkFirstBytes(path: string, fileName: string): Promise<boolean> {
  const { extension, kind } = await detectKind(path, fileName)
  return extension !== 'zip' && extension !== 'rar' && kind !== 'zip' && kind !== 'html'
}

/**
 * Makes the checks that take milliseconds: extension, first bytes, the directory of an archive.
 * @param folder an empty private folder
 * @returns the unpacked bytes of all members, as the directory announces them
 * @throws PriceFileError with the reason
 */
export async function checkPriceFile(
  path: string,
  fileName: string,
  folder: string,
  maxUnpacked = MAX_UNPACKED,
): Promise<number> {
  const { extension, kind } = await detectKind(path, fileName)
  if (extension === 'rar') {
    const { members } = await openRar(path, folder)
    chooseMember(members, maxUnpacked)
    return sumSizes(members)
  }
  if (kind === 'html') await requireTable(path)
  if (extension !== 'zip' && kind !== 'zip') return (await stat(path)).size
  return withZip(path, maxUnpacked, async ({ members }) => {
    if (extension === 'zip') chooseMember(members, maxUnpacked)
    else requireWorkbook(members)
    return sumSizes(members)
  })
}

/**
 * Unpacks the file of an archive to check that it is intact and of the kind of its extension.
 * @param folder an empty private folder
 * @throws PriceFileError with the reason
 */
export async function verifyArchive(
  path: string,
  fileName: string,
  folder: string,
  maxUnpacked = MAX_UNPACKED,
): Promise<void> {
  const extension = fileExtension(fileName)
  if (extension !== 'zip' && extension !== 'rar') return
  const plain =
    extension === 'zip'
      ? await verifyZip(path, join(folder, 'price-list'), maxUnpacked)
      : await unpackPriceFile(path, fileName, folder, maxUnpacked)
  if (plain?.kind === 'zip') await withZip(plain.path, maxUnpacked, async (zip) => requireWorkbook(zip.members))
  if (plain?.kind === 'html') await requireTable(plain.path)
}

async function requireTable(path: string): Promise<void> {
  await (await import('./html/read-html.js')).requireTable(path)
}

/**
 * A text is only inflated; a workbook is written to disk to read its directory. @returns the path of the written file
 */
function verifyZip(path: string, target: string, maxUnpacked: number): Promise<PlainFile | undefined> {
  return withZip(path, maxUnpacked, async (zip) => {
    const { member, extension } = chooseMember(zip.members, maxUnpacked)
    if (extension === 'xls' || extension === 'xlsx') {
      await pipeline(await zip.unpack(member), createWriteStream(target))
      return plainFile(target, extension)
    }
    let head = Buffer.alloc(0)
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)])
        done()
      },
    })
    await pipeline(await zip.unpack(member), sink)
    requireKind(extension, sniff(head))
    return undefined
  })
}

/**
 * Opens a price list of any accepted kind, alone or in an archive.
 * @param fileName its extension limits the accepted kinds; the bytes determine how the file is read
 * @param folder an empty private folder for unpacked files; the caller removes it
 * @throws PriceFileError
 */
export async function openPriceFile(
  path: string,
  fileName: string,
  folder: string,
  options: PriceFileOptions = {},
): Promise<PriceFileRows> {
  return openPlain(await unpackPriceFile(path, fileName, folder, options.maxUnpacked), options)
}

/** A price list outside an archive; it may be opened several times. */
export interface PlainFile {
  path: string
  kind: FileKind
  /** bytes of the file; of a workbook, those of all its parts, unpacked */
  unpackedBytes: number
}

/** The first half of `openPriceFile`, for a file that is read more than once. @throws PriceFileError */
export async function unpackPriceFile(
  path: string,
  fileName: string,
  folder: string,
  maxUnpacked = MAX_UNPACKED,
): Promise<PlainFile> {
  const { extension, kind } = await detectKind(path, fileName)
  if (extension !== 'zip' && extension !== 'rar') return { path, kind, unpackedBytes: await unpackedBytes(path, kind) }
  const target = join(folder, 'price-list')
  const inside =
    extension === 'zip'
      ? await unpackZip(path, target, maxUnpacked)
      : await unpackRar(path, target, folder, maxUnpacked)
  return plainFile(target, inside)
}

async function plainFile(path: string, extension: ListedExtension): Promise<PlainFile> {
  const { kind } = await detectKind(path, `price-list.${extension}`)
  return { path, kind, unpackedBytes: await unpackedBytes(path, kind) }
}

/** Reading a part of a workbook fails when it is longer than its directory says. */
async function unpackedBytes(path: string, kind: FileKind): Promise<number> {
  if (kind !== 'zip') return (await stat(path)).size
  return withZip(path, MAX_UNPACKED, async (zip) => sumSizes(zip.members))
}

function sumSizes(members: readonly ArchiveMember[]): number {
  return members.reduce((sum, { size }) => sum + size, 0)
}

async function detectKind(path: string, fileName: string): Promise<{ extension: FileExtension; kind: FileKind }> {
  const extension = fileExtension(fileName)
  if (!extension) throw new PriceFileError('WRONG_KIND', 'The file must be CSV, TXT, XLS, XLSX, HTML, ZIP or RAR.')
  const file = await open(path, 'r')
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    const head = buffer.subarray(0, bytesRead)
    const kind = sniff(head)
    if (kind === 'ole' && (await isEncryptedWorkbook(file, head)))
      throw new PriceFileError('ENCRYPTED', 'The workbook is protected by a password.')
    requireKind(extension, kind)
    return { extension, kind }
  } finally {
    await file.close()
  }
}

function requireKind(extension: FileExtension, kind: FileKind): void {
  if (kind === 'empty') throw new PriceFileError('EMPTY', 'The file is empty.')
  if (kind === 'html' && !mayHold(extension, kind))
    throw new PriceFileError('WEB_PAGE', 'This is a web page, not a price list. A table of a page must be named .html.')
  if (!mayHold(extension, kind))
    throw new PriceFileError('WRONG_KIND', `The bytes of the file are not those of a .${extension} file.`)
}

/** The second half. @throws PriceFileError */
export async function openPlain({ path, kind }: PlainFile, options: PriceFileOptions): Promise<PriceFileRows> {
  // loaded on demand, because loading a reader takes longer than reading most lists
  if (kind === 'text') {
    const { readText } = await import('./read-text.js')
    return { sheet: null, sheets: [], ...(await readText(path, options)) }
  }
  if (kind === 'html') {
    const { readHtml } = await import('./html/read-html.js')
    return { delimiter: null, sheet: null, sheets: [], ...(await readHtml(path, options)) }
  }
  const { blocks, ...workbook } = await (kind === 'zip' ? openXlsx : openXls)(path, options)
  return { encoding: null, delimiter: null, ...workbook, blocks: withoutNuls(blocks) }
}

/** NUL characters are left out, as they are of texts: nobody could search for a brand or an article with one. */
async function* withoutNuls(blocks: AsyncGenerator<RowBlock>): AsyncGenerator<RowBlock> {
  for await (const block of blocks) {
    for (const row of block.rows)
      for (const [at, cell] of row.entries()) if (cell.includes('\0')) row[at] = cell.replaceAll('\0', '')
    yield block
  }
}

/**
 * The sheets of a workbook; none of a text file.
 * @param isWanted whether the rows of a sheet are counted
 * @throws PriceFileError
 */
export async function countSheets(
  { path, kind }: PlainFile,
  options: Pick<PriceFileOptions, 'maxUnpacked'>,
  isWanted: (name: string) => boolean,
): Promise<SheetCount[]> {
  if (kind === 'text' || kind === 'html') return []
  if (kind !== 'zip') return (await import('./xls/read-xls.js')).countXlsSheets(path)
  return (await import('./xlsx/read-xlsx.js')).countXlsxSheets(path, options, isWanted)
}

async function openXlsx(path: string, options: PriceFileOptions): Promise<XlsxRows> {
  const { readXlsx } = await import('./xlsx/read-xlsx.js')
  return readXlsx(path, options)
}

async function openXls(path: string, options: PriceFileOptions): Promise<XlsRows> {
  const { readXls } = await import('./xls/read-xls.js')
  return readXls(path, options)
}

async function withZip<T>(path: string, maxUnpacked: number, work: (zip: ZipFile) => Promise<T>): Promise<T> {
  const { ZipFile } = await import('./zip/zip-file.js')
  const zip = await ZipFile.open(path, { maxEntries: MAX_MEMBERS, maxUnpacked })
  try {
    return await work(zip)
  } finally {
    zip.close()
  }
}

function unpackZip(path: string, target: string, maxUnpacked: number): Promise<ListedExtension> {
  return withZip(path, maxUnpacked, async (zip) => {
    const { member, extension } = chooseMember(zip.members, maxUnpacked)
    await pipeline(await zip.unpack(member), createWriteStream(target))
    return extension
  })
}

async function unpackRar(path: string, target: string, folder: string, maxUnpacked: number): Promise<ListedExtension> {
  const rar = await openRar(path, folder)
  const { member, extension } = chooseMember(rar.members, maxUnpacked)
  await rar.unpackTo(member, target)
  return extension
}

async function openRar(path: string, folder: string): Promise<RarFile> {
  const { RarFile } = await import('./rar/rar-file.js')
  return RarFile.open(path, folder)
}

/** A workbook is an archive with this part. Other archives named like a workbook are refused. */
function requireWorkbook(members: readonly ArchiveMember[]): void {
  if (!members.some(({ name }) => name.toLowerCase() === '[content_types].xml')) {
    throw new PriceFileError('WRONG_KIND', 'The file is an archive, not a workbook.')
  }
}
