import { listedExtension, type ListedExtension } from './file-kind.js'
import { PriceFileError } from './price-file-error.js'

/** A member of a ZIP or RAR archive, as described in its directory. */
export interface ArchiveMember {
  name: string
  /** unpacked bytes, as claimed */
  size: number
  isFolder: boolean
  isEncrypted: boolean
  isLink: boolean
}

/** Prevents path traversal ("zip slip"). */
export const unsafeName = 'A file name in the archive leads out of it (zip slip).'

/** Files of file managers, in lower case. */
const ignored = new Set(['.ds_store', 'thumbs.db'])

/**
 * The one price list of an archive (rules.md#valid-files).
 * @throws PriceFileError NOT_ONE_FILE, ENCRYPTED, UNSAFE_NAME, TOO_LARGE
 */
export function chooseMember<Member extends ArchiveMember>(
  members: readonly Member[],
  maxUnpacked: number,
): { member: Member; extension: ListedExtension } {
  const files = members.filter((member) => !member.isFolder && !isIgnored(member.name))
  const [member] = files
  if (!member || files.length > 1) {
    throw new PriceFileError('NOT_ONE_FILE', `The archive must contain exactly one file; it contains ${files.length}.`)
  }
  if (member.isEncrypted) throw new PriceFileError('ENCRYPTED', 'The archive is protected by a password.')
  if (member.isLink) throw new PriceFileError('UNSAFE_NAME', 'The archive contains a link instead of a file.')
  if (isUnsafe(member.name)) throw new PriceFileError('UNSAFE_NAME', unsafeName)
  const extension = listedExtension(member.name)
  if (!extension || extension === 'zip' || extension === 'rar') {
    throw new PriceFileError('NOT_ONE_FILE', 'The file in the archive must be CSV, TXT, XLS or XLSX.')
  }
  if (!(member.size <= maxUnpacked))
    throw new PriceFileError('TOO_LARGE', `The archive would unpack to more than ${maxUnpacked} bytes.`)
  return { member, extension }
}

function isIgnored(name: string): boolean {
  const folders = pathParts(name.toLowerCase())
  const file = folders.pop() ?? ''
  return ignored.has(file) || folders.includes('__macosx')
}

function isUnsafe(name: string): boolean {
  return /^[/\\]|^[a-z]:/i.test(name) || pathParts(name).includes('..')
}

function pathParts(name: string): string[] {
  return name.split(/[/\\]/)
}
