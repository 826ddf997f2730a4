import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import yauzl, { type Entry, type ZipFile as Directory } from 'yauzl'
import { unsafeName } from '../archive.js'
import { PriceFileError } from '../price-file-error.js'

export interface ZipLimits {
  /** members of the archive, folders included */
  maxEntries: number
  /** unpacked bytes of one member; counted while unpacking, because the directory may be wrong */
  maxUnpacked: number
}

/** One member as described in the directory. */
export interface ZipMember {
  name: string
  size: number
  isFolder: boolean
  isEncrypted: boolean
  isLink: boolean
  entry: Entry
}

const METHOD_STORED = 0
const METHOD_DEFLATED = 8
const INFLATE_CHUNK = 256 * 1024
const UNIX_TYPE_MASK = 0o170000
const UNIX_LINK = 0o120000

/*
 * The directory is read by yauzl. Members are inflated here, with larger chunks (twice as fast) and with a limit that
 * does not rely on the sizes in the directory.
 */
export class ZipFile {
  readonly members: ZipMember[]
  private readonly directory: Directory
  private readonly limits: ZipLimits

  private constructor(directory: Directory, members: ZipMember[], limits: ZipLimits) {
    this.directory = directory
    this.members = members
    this.limits = limits
  }

  /** @throws PriceFileError DAMAGED when there is no readable directory, TOO_LARGE when it has too many members */
  static async open(path: string, limits: ZipLimits): Promise<ZipFile> {
    const directory = await yauzl
      .openPromise(path, { autoClose: false, strictFileNames: false, validateEntrySizes: false })
      .catch((error: unknown) => {
        throw damaged(error)
      })
    try {
      if (directory.entryCount > limits.maxEntries)
        throw new PriceFileError('TOO_LARGE', `The archive has more than ${limits.maxEntries} members.`)
      const members: ZipMember[] = []
      for await (const entry of directory.eachEntry()) {
        members.push(toMember(entry))
        if (members.length > limits.maxEntries)
          throw new PriceFileError('TOO_LARGE', `The archive has more than ${limits.maxEntries} members.`)
      }
      return new ZipFile(directory, members, limits)
    } catch (error) {
      directory.close()
      throw damaged(error)
    }
  }

  /**
   * The unpacked bytes of a member.
   * Fails with PriceFileError TOO_LARGE, or DAMAGED when sizes or checksum are wrong.
   */
  async unpack(member: ZipMember): Promise<Readable> {
    const { entry } = member
    if (member.isEncrypted) throw new PriceFileError('ENCRYPTED', 'The archive is protected by a password.')
    if (entry.compressionMethod !== METHOD_STORED && entry.compressionMethod !== METHOD_DEFLATED) {
      throw new PriceFileError(
        'DAMAGED',
        `The archive uses compression method ${entry.compressionMethod}, which is not supported.`,
      )
    }
    const raw = await this.directory.openReadStreamPromise(entry, { decodeFileData: false }).catch((error: unknown) => {
      throw damaged(error)
    })
    const guard = new Guard(entry, this.limits.maxUnpacked)
    const steps: Promise<void> =
      entry.compressionMethod === METHOD_DEFLATED
        ? pipeline(raw, createInflateRaw({ chunkSize: INFLATE_CHUNK }), guard)
        : pipeline(raw, guard)
    steps.catch((error: unknown) => guard.destroy(damaged(error)))
    return guard
  }

  close(): void {
    this.directory.close()
  }
}

/** Counts and checks the unpacked bytes of a member. */
class Guard extends Transform {
  private readonly entry: Entry
  private readonly limit: number
  private bytes = 0
  private checksum = 0

  constructor(entry: Entry, limit: number) {
    super({ readableHighWaterMark: INFLATE_CHUNK, writableHighWaterMark: INFLATE_CHUNK })
    this.entry = entry
    this.limit = limit
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null, chunk?: Buffer) => void): void {
    this.bytes += chunk.length
    if (this.bytes > this.limit)
      return done(new PriceFileError('TOO_LARGE', `The file would unpack to more than ${this.limit} bytes.`))
    if (this.bytes > this.entry.uncompressedSize)
      return done(new PriceFileError('DAMAGED', 'The archive contains more than its directory says.'))
    this.checksum = crc32(chunk, this.checksum)
    done(null, chunk)
  }

  override _flush(done: (error?: Error | null) => void): void {
    const isWhole = this.bytes === this.entry.uncompressedSize && this.checksum === this.entry.crc32
    done(isWhole ? null : new PriceFileError('DAMAGED', 'The archive is damaged.'))
  }
}

function toMember(entry: Entry): ZipMember {
  const mode = entry.externalFileAttributes >>> 16
  return {
    name: entry.fileName,
    size: entry.uncompressedSize,
    isFolder: /[/\\]$/.test(entry.fileName),
    isEncrypted: (entry.generalPurposeBitFlag & 1) === 1 || entry.compressionMethod === 99,
    isLink: (mode & UNIX_TYPE_MASK) === UNIX_LINK,
    entry,
  }
}

function damaged(error: unknown): PriceFileError {
  if (error instanceof PriceFileError) return error
  // yauzl checks names itself, and its errors have no codes
  if (
    error instanceof Error &&
    /^(absolute path|invalid relative path|invalid characters in fileName)/.test(error.message)
  )
    return new PriceFileError('UNSAFE_NAME', unsafeName, undefined, error)
  return new PriceFileError('DAMAGED', 'The archive is damaged.', undefined, error)
}
