import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type ArchiveMember, chooseMember } from './archive.js'
import type { Delimiter } from './delimiter.js'
import { extensionOf, type FileKind, type ListedExtension, mayHold, sniff } from './file-kind.js'
import { packed, type PackedRows } from './packed-rows.js'
import { PriceFileError } from './price-file-error.js'
import type { RarFile } from './rar/rar-file.js'
import type { RowBlock, RowLimits } from './row-block.js'
import type { TextEncodingName } from './text-encoding.js'
import type { ZipFile } from './zip/zip-file.js'

export interface PriceFileOptions {
  encoding?: TextEncodingName | 'auto'
  delimiter?: Delimiter | 'auto'
  sheet?: string | number
  limits?: Partial<RowLimits>
  /** unpacked bytes of an archive's file, or of one part of a workbook */
  maxUnpacked?: number
}

/** How a file was read, and its rows, to be taken in one of two forms. What does not apply is null. */
export interface PriceFileRows {
  encoding: string | null
  delimiter: string | null
  sheet: string | null
  blocks: AsyncGenerator<RowBlock>
  /** for who counts rows, passes them on, or needs few of their cells */
  packed: AsyncGenerator<PackedRows>
}

const MAX_UNPACKED = 1024 ** 3
const MAX_MEMBERS = 1_000
const HEAD_BYTES = 4_096

/**
 * Checks extension and first bytes, which is safe anywhere.
 * @returns whether that is all `checkPriceFile` would check: a text, or a workbook of the old kind
 * @throws PriceFileError
 */
export async function checkFirstBytes(path: string, fileName: string): Promise<boolean> {
  const { extension, kind } = await kindOf(path, fileName)
  return extension !== 'zip' && extension !== 'rar' && kind !== 'zip'
}

/**
 * Checks what can be told without reading the rows: extension, bytes, an archive's directory.
 * @param folder an empty private folder
 * @throws PriceFileError with the reason
 */
export async function checkPriceFile(
  path: string,
  fileName: string,
  folder: string,
  maxUnpacked = MAX_UNPACKED,
): Promise<void> {
  const { extension, kind } = await kindOf(path, fileName)
  if (extension === 'zip') await withZip(path, maxUnpacked, async (zip) => chooseMember(zip.members, maxUnpacked))
  else if (extension === 'rar') chooseMember((await openRar(path, folder)).members, maxUnpacked)
  else if (kind === 'zip') await withZip(path, maxUnpacked, async (zip) => requireWorkbook(zip.members))
}

/**
 * Opens a price list of any of the listed kinds, alone or in an archive.
 * @param fileName its extension says what is expected; the bytes decide how it is read
 * @param folder an empty private folder for what is unpacked; the caller removes it
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

/** A price list outside of any archive, as often to be opened as one likes. */
export interface PlainFile {
  path: string
  kind: FileKind
}

/** The first half of `openPriceFile`, for a file that is to be read more than once. @throws PriceFileError */
export async function unpackPriceFile(
  path: string,
  fileName: string,
  folder: string,
  maxUnpacked = MAX_UNPACKED,
): Promise<PlainFile> {
  const { extension, kind } = await kindOf(path, fileName)
  if (extension !== 'zip' && extension !== 'rar') return { path, kind }
  const target = join(folder, 'price-list')
  const inside =
    extension === 'zip'
      ? await unpackZip(path, target, maxUnpacked)
      : await unpackRar(path, target, folder, maxUnpacked)
  return { path: target, kind: (await kindOf(target, `price-list.${inside}`)).kind }
}

async function kindOf(path: string, fileName: string): Promise<{ extension: ListedExtension; kind: FileKind }> {
  const extension = extensionOf(fileName)
  if (!extension) throw new PriceFileError('WRONG_KIND', 'The file must be CSV, TXT, XLS, XLSX, ZIP or RAR.')
  const file = await open(path, 'r')
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    const kind = sniff(buffer.subarray(0, bytesRead))
    if (kind === 'empty') throw new PriceFileError('EMPTY', 'The file is empty.')
    if (!mayHold(extension, kind))
      throw new PriceFileError('WRONG_KIND', `The bytes of the file are not those of a .${extension} file.`)
    return { extension, kind }
  } finally {
    await file.close()
  }
}

/** The second half. @throws PriceFileError */
export async function openPlain({ path, kind }: PlainFile, options: PriceFileOptions): Promise<PriceFileRows> {
  // a reader is loaded when it is needed: that takes longer than most lists to read
  if (kind === 'text') {
    const { readText } = await import('./read-text.js')
    return { sheet: null, ...(await readText(path, options)) }
  }
  const { sheet, blocks } = await (kind === 'zip' ? openXlsx : openXls)(path, options)
  return { encoding: null, delimiter: null, sheet, blocks, packed: packed(blocks) }
}

async function openXlsx(
  path: string,
  options: PriceFileOptions,
): Promise<{ sheet: string; blocks: AsyncGenerator<RowBlock> }> {
  const { readXlsx } = await import('./xlsx/read-xlsx.js')
  return readXlsx(path, options)
}

async function openXls(
  path: string,
  options: PriceFileOptions,
): Promise<{ sheet: string; blocks: AsyncGenerator<RowBlock> }> {
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

/** A workbook is an archive too; a plain archive under its extension is none. */
function requireWorkbook(members: readonly ArchiveMember[]): void {
  if (!members.some(({ name }) => name.toLowerCase() === '[content_types].xml')) {
    throw new PriceFileError('WRONG_KIND', 'The file is an archive, not a workbook.')
  }
}
