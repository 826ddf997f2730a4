import { AppError, texts } from '@partsbus/contracts/errors'

/**
 * Where the bytes of price-list files are. A file is taken over once, under a key of its own, and never changed. Bytes go
 * through in pieces, so a file's size costs no memory.
 */
export interface FileDriver {
  /** @throws Error that says why, when files cannot be kept there */
  prepare(): Promise<void>
  /**
   * Takes over a file of this machine, which may be deleted afterwards. When it returns, the bytes would survive a crash. What
   * a call that failed or was killed left is removed by `delete`. @returns bytes
   */
  take(key: string, from: string): Promise<number>
  /** At most `length` bytes from `offset`, which lies inside the file. @throws FileGone, FilesAway */
  read(key: string, offset: number, length: number): Promise<Buffer>
  /** Puts the file at `to`, which is not there yet; it must not be written to. @throws FileGone, FilesAway, or when the disk is full */
  copyTo(key: string, to: string): Promise<void>
  /** Nothing is left of the file afterwards; no error when nothing was there. */
  delete(key: string): Promise<void>
}

/** The bytes of a file are not where they should be. */
export class FileGone extends Error {
  constructor(key: string, cause?: unknown) {
    super(`The bytes of the file ${key} are gone`, { cause })
  }
}

/** The place of the files does not answer; it may again. */
export class FilesAway extends AppError {
  constructor(cause: unknown) {
    super('UNAVAILABLE', texts.unavailable, { cause })
  }
}

/** The service cannot store or read a file, for example for want of disk space (partners.md#upload fixes the text). */
export function storeFailed(cause: unknown): AppError {
  return new AppError('STORE_FAILED', 'Failed to store uploaded file.', { cause })
}
