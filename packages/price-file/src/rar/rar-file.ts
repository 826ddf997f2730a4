import { rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { createExtractorFromFile, type Extractor, UnrarError } from 'node-unrar-js'
import type { ArchiveMember } from '../archive.js'
import { PriceFileError, ReaderUnavailable } from '../price-file-error.js'

const OUT_NAME = 'unpacked-member'

/*
 * RAR 4 and 5, read by the UnRAR engine compiled to WebAssembly. The engine is old and synchronous, so it runs in the
 * reader process only, and only after the directory is known to contain one plain file of an allowed size.
 */
export class RarFile {
  readonly members: ArchiveMember[]
  private readonly extractor: Extractor

  private constructor(extractor: Extractor, members: ArchiveMember[]) {
    this.extractor = extractor
    this.members = members
  }

  /**
   * @param folder an empty private folder for the unpacked file
   * @throws PriceFileError DAMAGED, ENCRYPTED
   */
  static async open(path: string, folder: string): Promise<RarFile> {
    try {
      // every member gets the same name; its own name is not used as a path
      const extractor = await createExtractorFromFile({
        filepath: path,
        targetPath: folder,
        filenameTransform: () => OUT_NAME,
      })
      const { arcHeader, fileHeaders } = extractor.getFileList()
      if (arcHeader.flags.volume) throw new PriceFileError('DAMAGED', 'The archive is one part of several.')
      if (arcHeader.flags.headerEncrypted)
        throw new PriceFileError('ENCRYPTED', 'The archive is protected by a password.')
      const members = [...fileHeaders].map((header) => ({
        name: header.name,
        size: header.unpSize,
        isFolder: header.flags.directory,
        isEncrypted: header.flags.encrypted,
        isLink: false,
      }))
      return new RarFile(extractor, members)
    } catch (error) {
      throw rarProblem(error)
    }
  }

  /** Unpacks the one file of the archive. @throws PriceFileError DAMAGED, UNSAFE_NAME when it was a link */
  async unpackTo(member: ArchiveMember, target: string): Promise<void> {
    try {
      const names = [...this.extractor.extract({ files: ({ name }) => name === member.name }).files].map(
        (file) => file.fileHeader.name,
      )
      if (names.length !== 1) throw new PriceFileError('DAMAGED', 'The archive is damaged.')
      await rename(join(dirname(target), OUT_NAME), join(dirname(target), basename(target)))
    } catch (error) {
      throw rarProblem(error)
    }
  }
}

function rarProblem(error: unknown): PriceFileError {
  if (error instanceof PriceFileError) return error
  const reason = error instanceof UnrarError ? error.reason : ''
  if (reason === 'ERAR_EWRITE' || reason === 'ERAR_ECREATE')
    throw new ReaderUnavailable('The archive cannot be unpacked: the disk is full or not writable.', { cause: error })
  if (reason === 'ERAR_MISSING_PASSWORD' || reason === 'ERAR_BAD_PASSWORD') {
    return new PriceFileError('ENCRYPTED', 'The archive is protected by a password.', undefined, error)
  }
  return new PriceFileError('DAMAGED', 'The archive is damaged, or is one part of several.', undefined, error)
}
