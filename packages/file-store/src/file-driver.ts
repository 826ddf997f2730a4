import { AppError, texts } from '@partsbus/contracts/app-error'

/**
 * Stores the bytes of files. A file is written once and never changes. When a write returns, its bytes survive a crash.
 * There are two ways to name files:
 * - by the hash of their bytes, for `write`: several processes may write the same file at once, and again;
 * - by a name that only one caller uses, for `writeFrom`.
 */
export interface FileDriver {
  /** @throws Error when files cannot be stored, with the reason */
  prepare(): Promise<void>
  write(files: NamedBytes[]): Promise<void>
  /**
   * Stores a copy of a local file of any size in bounded memory. `delete` removes what a failed or killed call left.
   * @returns the size in bytes
   */
  writeFrom(name: string, path: string): Promise<number>
  /**
   * @param offset inside the file
   * @returns at most `length` bytes, fewer at the end of the file
   * @throws FileNotFound, FileStorageUnavailable
   */
  read(name: string, offset: number, length: number): Promise<Buffer<ArrayBuffer>>
  /**
   * Copies the file in bounded memory. The copy must not be modified: it may share its bytes with the stored file.
   * @param path of a local file that does not exist yet
   * @throws FileNotFound, FileStorageUnavailable, or Error when the disk is full
   */
  copyTo(name: string, path: string): Promise<void>
  /** Deletes the file and partial writes of it; does nothing when there are none. */
  delete(name: string): Promise<void>
}

export interface NamedBytes {
  name: string
  bytes: Uint8Array
}

export class FileNotFound extends Error {
  constructor(name: string, cause?: unknown) {
    super(`the bytes of the file ${name} are missing`, { cause })
  }
}

/** The storage does not answer, or answers that it cannot serve the request now. */
export class FileStorageUnavailable extends AppError {
  constructor(cause: unknown) {
    super('UNAVAILABLE', texts.unavailable, { cause })
  }
}
