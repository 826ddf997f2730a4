/** The {@link FileDriver} of the images. */
export const MEDIA_FILES = Symbol('media files')

/** Stores the bytes of images. A file is named by the SHA-256 of its bytes, so that writing it twice changes nothing. */
export interface FileDriver {
  prepare(): Promise<void>
  /** Ends when the bytes survive a crash. */
  write(files: NamedBytes[]): Promise<void>
  /** @returns at most `length` bytes from `offset`, fewer at the end; undefined when there is no such file */
  read(name: string, offset: number, length: number): Promise<Uint8Array<ArrayBuffer> | undefined>
}

export interface NamedBytes {
  name: string
  bytes: Uint8Array
}
